/* Seats from the database's own functions. */
#ifndef RUMMYD_BENCH_GRANTS_SQL_H
#define RUMMYD_BENCH_GRANTS_SQL_H

#include "bench/grants_list.h"

/* Needs db and node. Prints errors and returns false. Seats of tables that already have players are not
 * touched. */
bool grants_by_sql(struct grants *g, const char *room, int tables, int seats);
/* As grants_renew. */
bool grants_renew_sql(struct grants *g);

#endif
