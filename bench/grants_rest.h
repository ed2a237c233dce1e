/* Seats through REST. */
#ifndef RUMMYD_BENCH_GRANTS_REST_H
#define RUMMYD_BENCH_GRANTS_REST_H

#include "bench/grants_list.h"

/* Requires g->http. On errors, prints them and returns false. Ignores tables that already have players. */
bool grants_by_rest(struct grants *g, const char *room, int tables, int seats);
/* Like grants_renew. */
bool grants_renew_rest(struct grants *g);

#endif
