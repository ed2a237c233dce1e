/* Tables with turns of hours (docs/slow-tables.md). Whom they wait for, and until when, stands in the
 * database, written after the move with which it began; so their clock is the database's, and this process
 * never lets one of their turns run out by itself: it is told that one is over (tab_slow_look), by their
 * rows. A table that nobody is connected to for sleep_after_ms leaves the memory. Hub thread. */
#ifndef RUMMYD_TABLES_SLOW_H
#define RUMMYD_TABLES_SLOW_H

#include "tables/replay.h"
#include "tables/table.h"

/* A bit for each person that the game waits for now: the seat to move, who groups their cards, or who may
 * join the pool again and has not said that they are ready. 0 where bots play, and of other tables. */
uint8_t tab_slow_awaited(const struct tab_table *table);
/* Writes down whom the game waits for, or that the table sleeps. true: a write is on its way now. */
bool tab_slow_drive(struct tab_table *table);
/* When the table is to fall asleep, monotonic ms; TAB_NEVER: not as things are. */
int64_t tab_slow_due(const struct tab_table *table);
/* Whom it waits for is written down, or refused. */
void tab_slow_turn_written(struct tab_table *table);
/* The rows as they are now: until when the table waits, or that the time is over. They are passed over when
 * they tell of another turn than the running one. */
void tab_slow_look(struct tab_table *table, const struct tab_load *load);
#endif
