/* A practice table waits for its person. Where one person alone plays with bots for neither chips nor points,
 * and that person is not connected or is away, nothing goes on: no bot moves, in nobody's place, and no clock
 * runs; but turns of hours go on, and so does a deal
 * that others play, too. When they are back, the clock that stood begins anew. A table that has
 * waited too long is ended. Hub thread. */
#ifndef RUMMYD_TABLES_PRACTICE_H
#define RUMMYD_TABLES_PRACTICE_H

#include "tables/table.h"

/* The seat of the person that such a table is for, as long as they have something to do there; ENG_NO_SEAT:
 * this is none, or they have left or are out for good. */
uint8_t tab_practice_seat(const struct tab_table *table);
/* Begins to wait, or ends it, and tells everybody but `joiner`, who is about to be told all; ENG_NO_SEAT:
 * nobody is. */
void tab_practice_look(struct tab_table *table, uint8_t joiner);
/* After a restart: so long the table had stood still when its last process was heard last. */
void tab_practice_recover(struct tab_table *table, int64_t stood_ms);

#endif
