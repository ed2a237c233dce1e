/* How many random hands the solvers are held against brute force with: few in a common run, as many as
 * RUMMYD_ORACLE_HANDS says in the nightly one (`make oracle`). */
#ifndef RUMMYD_TESTS_ENGINE_ORACLE_H
#define RUMMYD_TESTS_ENGINE_ORACLE_H

#include <stdlib.h>

static inline int oracle_hands(int few)
{
    const char *many = getenv("RUMMYD_ORACLE_HANDS");

    return many == NULL ? few : atoi(many);
}

#endif
