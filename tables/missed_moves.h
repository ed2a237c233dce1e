/* Missed moves: what a timeout or a bot played for a player since their last own move. Only that player
 * receives them, on return; then they are cleared. They are derived from the moves, so a restart loses
 * nothing. Hub thread; any thread where a table is replayed. */
#ifndef RUMMYD_TABLES_MISSED_MOVES_H
#define RUMMYD_TABLES_MISSED_MOVES_H

#include "engine/eng.h"

enum { TAB_MISSED_DISCARDS_MAX = 16 }; /* remembered; the most recent ones */

struct tab_missed_moves {
    uint32_t from_v, to_v; /* versions of the first and last event; from_v 0: no missed moves */
    uint16_t turns, time_outs;
    uint16_t melds, lay_offs;
    uint16_t hands;      /* number of hands that ended in that time */
    int32_t points;      /* points scored in those hands */
    int32_t drop_points; /* cost of a drop made for the player; 0: none */
    int16_t opening;     /* sum of an opening made for the player; 0: none */
    uint8_t discards_n;  /* the last cards discarded for the player, oldest first */
    uint8_t discards[TAB_MISSED_DISCARDS_MAX];
};

/* Called for every move of the table, live or replayed. seat: whose missed moves these are. own: the seat's
 * player sent the move. v: version of its first event. */
void tab_missed_moves_note(struct tab_missed_moves *missed, uint8_t seat, const struct eng_move *move,
                           bool own, uint32_t v, const struct eng_outcome *outcome);

#endif
