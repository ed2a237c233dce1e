/* Practice tables wait for their player. If a single human player plays with bots for neither chips nor
 * points, and is disconnected or away, the table pauses: no bot moves for any seat, and no clock runs.
 * Correspondence turns and shared deals are exceptions, and continue. When the player returns, the paused
 * clock starts again in full. A table that has waited too long is ended. Hub thread. */
#ifndef RUMMYD_TABLES_PRACTICE_H
#define RUMMYD_TABLES_PRACTICE_H

#include "tables/table.h"

/* The seat of the human player at a practice table; ENG_NO_SEAT: this is not a practice table, or the
 * player has left or is permanently out. */
uint8_t tab_practice_seat(const struct tab_table *table);
/* Starts or ends the wait and notifies all clients except `joiner`, which is about to receive the full
 * state; ENG_NO_SEAT: no exception. */
void tab_practice_check(struct tab_table *table, uint8_t joiner);
/* Called after a restart. stood_ms: how long the table had been paused at the last heartbeat of its
 * previous process. */
void tab_practice_recover(struct tab_table *table, int64_t stood_ms);

#endif
