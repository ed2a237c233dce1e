/* Players of all kinds, with what an SDK does for them; the tables they open. */
#ifndef RUMMYD_TESTS_SIMULATE_PEOPLE_H
#define RUMMYD_TESTS_SIMULATE_PEOPLE_H

#include "tests/simulate/sim.h"

/* Opens tables and seats people, over some time. */
void people_begin(int tables, int64_t within_us);
/* All is well from now on: whoever was away comes back, and everybody plays without delay. */
void people_heal(void);
/* Tables that are not over. */
int people_tables_left(void);
uint64_t people_moves(void);

#endif
