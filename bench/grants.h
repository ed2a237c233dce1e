/* Sources of seats: REST, as for any player (small runs), the database's functions (thousands of seats in
 * seconds), or a file. Blocking; called before and between measurements. One thread. */
#ifndef RUMMYD_BENCH_GRANTS_H
#define RUMMYD_BENCH_GRANTS_H

#include "bench/grants_list.h"

/* Read and write lines "table seat ticket [player]". On errors, print them and return false. */
bool grants_by_file(struct grants *g, const char *path);
bool grants_to_file(const struct grants *g, const char *path);
/* Replaces used tickets. false: the server or the database is unreachable; retry later. */
bool grants_renew(struct grants *g);

#endif
