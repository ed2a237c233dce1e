/* What recover.c and outage.c, which stand above table.c, ask of one table. Hub thread. */
#ifndef RUMMYD_TABLES_RUN_H
#define RUMMYD_TABLES_RUN_H

#include "tables/table.h"

/* Goes on as far as it can: greets who connected, carries out queued commands, plays bots and time-outs,
 * until a write is on its way or there is nothing to do. Sets the deadline. */
void tab_run(struct tab_table *table);
/* An outage is over in which the clocks stood still for so long: they go on, everybody is told, and the table
 * runs. */
void tab_run_again(struct tab_table *table, int64_t stood_ms);

#endif
