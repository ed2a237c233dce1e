/* The time bank: a little more time for a player whose line is bad. When the clock of a turn runs out in
 * which the player was not connected all the while, their time bank goes on first. It is small (`reserve_ms`
 * of the configuration), and there is one for the whole game. Hub thread. */
#ifndef RUMMYD_TABLES_TIME_BANK_H
#define RUMMYD_TABLES_TIME_BANK_H

#include "tables/replay.h"

/* The turn's clock has run out. true: the seat's time bank goes on, turn_ms is its end, and everybody is
 * told. */
bool tab_time_bank_begin(struct tab_table *table, uint8_t seat);
/* What the seat has used of it in all, in ms, while it goes on; 0: it does not. */
int64_t tab_time_bank_used(const struct tab_table *table, uint8_t seat);
/* Nobody's clock runs any more: what was used of a time bank that went on is kept. While turn_ms is its end.
 */
void tab_time_bank_stop(struct tab_table *table);
/* A turn is over and that of `next` begins. */
void tab_time_bank_end(struct tab_table *table, uint8_t next);
/* After a restart: what the rows say was used of each. */
void tab_time_bank_recover(struct tab_table *table, const struct tab_load *load);

#endif
