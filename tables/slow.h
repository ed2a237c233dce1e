/* Correspondence tables, where turns last hours (docs/correspondence.md). The database stores which players
 * they wait for and until when, written after the move that began the wait. So the database's clock decides:
 * this process never lets such a turn time out by itself; the rows report that it is over
 * (tab_slow_apply_rows). A table without a connection for sleep_after_ms is unloaded from memory. Hub thread.
 * */
#ifndef RUMMYD_TABLES_SLOW_H
#define RUMMYD_TABLES_SLOW_H

#include "tables/replay.h"
#include "tables/table.h"

/* One bit per player that the game waits for now: the seat to move, players who are grouping their cards, or
 * those who may rejoin the pool and are not ready yet. 0 where bots play, and at other tables. */
uint8_t tab_slow_awaited(const struct tab_table *table);
/* Writes which players the game waits for, or that the table goes to sleep. true: a write is now pending. */
bool tab_slow_drive(struct tab_table *table);
/* When the table is to be unloaded, monotonic ms; TAB_NEVER: not in its current state. */
int64_t tab_slow_due(const struct tab_table *table);
/* The write of the awaited players has completed or was refused. */
void tab_slow_turn_written(struct tab_table *table);
/* Applies the current rows: the deadline, or that it has passed. Ignored if they describe another turn than
 * the running one. */
void tab_slow_apply_rows(struct tab_table *table, const struct tab_load *load);
#endif
