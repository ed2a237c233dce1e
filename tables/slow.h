/* Correspondence tables, where turns last hours (docs/correspondence.md). The database stores for which
 * players they wait and until when; this is written after the move that began the wait. Only the database's
 * clock ends such a turn: this process learns from the rows that it is over (tab_slow_apply_rows). A table
 * without a connection for sleep_after_ms is unloaded from memory. Hub thread.
 * */
#ifndef RUMMYD_TABLES_SLOW_H
#define RUMMYD_TABLES_SLOW_H

#include "tables/replay.h"
#include "tables/table.h"

/* One bit per player for whom the game waits now: the seat to move, players who are grouping their cards,
 * or players who may rejoin the pool and are not ready yet. 0 if a bot plays, and at other tables. */
uint8_t tab_slow_awaited(const struct tab_table *table);
/* Writes for which players the game waits, or that the table is unloaded. true: a write is now pending. */
bool tab_slow_drive(struct tab_table *table);
/* When to unload the table, monotonic ms; TAB_NEVER: not in its current state. */
int64_t tab_slow_due(const struct tab_table *table);
/* Called when the write of the awaited players has completed or was refused. */
void tab_slow_turn_written(struct tab_table *table);
/* Applies the current rows: the deadline, or that it has passed. Ignores rows that describe a turn other
 * than the running one. */
void tab_slow_apply_rows(struct tab_table *table, const struct tab_load *load);
#endif
