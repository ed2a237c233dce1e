/* Seats through REST. */
#ifndef RUMMYD_BENCH_GRANTS_REST_H
#define RUMMYD_BENCH_GRANTS_REST_H

#include "bench/grants_list.h"

/* Needs http. Prints errors and returns false. Seats of tables that already have players are not touched. */
bool grants_by_rest(struct grants *g, const char *room, int tables, int seats);
/* As grants_renew. */
bool grants_renew_rest(struct grants *g);

#endif
