/* Missed moves: what the clock or a bot played for a player since they last acted themselves. Only that
 * player receives it, on return, and then it is cleared. It follows from the moves, so a restart loses
 * nothing. Hub thread; any thread where a table is replayed. */
#ifndef RUMMYD_TABLES_MISSED_MOVES_H
#define RUMMYD_TABLES_MISSED_MOVES_H

#include "engine/eng.h"

enum { TAB_MISSED_DISCARDS_MAX = 16 }; /* remembered, most recent ones */

struct tab_missed_moves {
    uint32_t from_v, to_v; /* version of its first and last event; from_v 0: nothing was played for them */
    uint16_t turns, time_outs;
    uint16_t melds, lay_offs;
    uint16_t hands;      /* hands that ended since */
    int32_t points;      /* points scored in those hands */
    int32_t drop_points; /* cost of a drop made for them; 0: none */
    int16_t opening;     /* sum of an opening made for them; 0: none */
    uint8_t discards_n;  /* the last cards discarded for them, oldest first */
    uint8_t discards[TAB_MISSED_DISCARDS_MAX];
};

/* Called for every move of the table, live or replayed. seat: whose missed moves these are. own: the seat's
 * player sent the move themselves. v: version of its first event. */
void tab_missed_moves_note(struct tab_missed_moves *missed, uint8_t seat, const struct eng_move *move,
                           bool own, uint32_t v, const struct eng_outcome *outcome);

#endif
