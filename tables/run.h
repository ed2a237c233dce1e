/* Functions on one table for recover.c and outage.c, which are layered above table.c. Hub thread. */
#ifndef RUMMYD_TABLES_RUN_H
#define RUMMYD_TABLES_RUN_H

#include "tables/table.h"

/* Advances the table as far as possible: greets new connections, runs queued commands, bots, and timeouts,
 * until a write is pending or nothing is left to do. Sets the deadline. */
void tab_run(struct tab_table *table);
/* After an outage, during which clocks paused for stood_ms: resumes the clocks, notifies all clients, and
 * runs the table. */
void tab_run_again(struct tab_table *table, int64_t stood_ms);

#endif
