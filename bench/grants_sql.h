/* Seats from the database's functions. */
#ifndef RUMMYD_BENCH_GRANTS_SQL_H
#define RUMMYD_BENCH_GRANTS_SQL_H

#include "bench/grants_list.h"

/* Requires g->db and g->node. On errors, prints them and returns false. Ignores tables that already have
 * players. */
bool grants_by_sql(struct grants *g, const char *room, int tables, int seats);
/* Like grants_renew. */
bool grants_renew_sql(struct grants *g);

#endif
