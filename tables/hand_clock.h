/* The hand clock: in addition to the turn clock, each seat has `hand_s` seconds for all its turns in a
 * hand. Each turn uses up its duration, and each completed turn adds ENG_HAND_CLOCK_STEP_S, up to the
 * initial value. A turn ends when either clock runs out, so a player whose hand clock is used up has
 * ENG_HAND_CLOCK_STEP_S for each further turn. Without `hand_s`, and at correspondence tables, there is
 * only the turn clock. The journal stores each turn's duration with the move that ended it, so a restart
 * neither adds nor removes time. Hub thread; any thread where a table is replayed. */
#ifndef RUMMYD_TABLES_HAND_CLOCK_H
#define RUMMYD_TABLES_HAND_CLOCK_H

#include "tables/table.h"

/* Resets the clocks of all seats when a hand is dealt. */
void tab_hand_clock_deal(struct tab_table *table);
/* Duration of the running turn so far, in ms; 0 for a seat that a bot plays. Only while a turn runs. */
int64_t tab_hand_clock_taken(const struct tab_table *table);
/* Time that the seat has left now, in ms, while a turn runs or is replayed. */
int64_t tab_hand_clock_left(const struct tab_table *table, uint8_t seat);
/* Accounts for the move that made these events, in the turn of `seat`, which has taken taken_ms;
 * ENG_NO_SEAT: in no turn. true: the turn is over and its time was deducted. */
bool tab_hand_clock_moved(struct tab_table *table, uint8_t seat, int64_t taken_ms,
                          const struct eng_outcome *outcome);

#endif
