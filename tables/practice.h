/* A practice table waits for its player. If a single human plays with bots for neither chips nor points, and
 * is disconnected or away, the table pauses: no bot moves for any seat and no clock runs. Exceptions are
 * correspondence turns and shared deals, which continue. When the player returns, the paused clock starts
 * again in full. A table that has waited too long is ended. Hub thread. */
#ifndef RUMMYD_TABLES_PRACTICE_H
#define RUMMYD_TABLES_PRACTICE_H

#include "tables/table.h"

/* The seat of the human at such a table, as long as they still have a part in the game; ENG_NO_SEAT: this is
 * not such a table, or they have left or are out for good. */
uint8_t tab_practice_seat(const struct tab_table *table);
/* Starts or ends the wait and notifies all clients except `joiner`, which is about to get the full state;
 * ENG_NO_SEAT: no exception. */
void tab_practice_check(struct tab_table *table, uint8_t joiner);
/* After a restart: how long the table had been paused at its last process's last heartbeat. */
void tab_practice_recover(struct tab_table *table, int64_t stood_ms);

#endif
