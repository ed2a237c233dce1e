/* The time bank: some extra time for a player with a bad connection. If the turn's clock runs out and the
 * player was disconnected at some point in the turn, the turn continues on their time bank. The time bank
 * is small (`reserve_ms` in the configuration) and must last for the whole game. Hub thread. */
#ifndef RUMMYD_TABLES_TIME_BANK_H
#define RUMMYD_TABLES_TIME_BANK_H

#include "tables/replay.h"

/* Call this when the turn's clock has run out. true: the seat's time bank has started, turn_ms is its end,
 * and all clients are notified. */
bool tab_time_bank_begin(struct tab_table *table, uint8_t seat);
/* Total time bank used by the seat, in ms, while it runs; 0: it is not running. */
int64_t tab_time_bank_used(const struct tab_table *table, uint8_t seat);
/* Saves the used part of a running time bank when no clock runs any longer. Call this while turn_ms is its
 * end. */
void tab_time_bank_stop(struct tab_table *table);
/* Call this when a turn is over and the turn of `next` begins. */
void tab_time_bank_end(struct tab_table *table, uint8_t next);
/* Called after a restart: restores from the rows how much time bank each player has used. */
void tab_time_bank_recover(struct tab_table *table, const struct tab_load *load);

#endif
