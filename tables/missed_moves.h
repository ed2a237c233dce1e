/* Missed moves: what the clock or a bot played for a person since they last did something themselves. It is
 * told to them alone when they are back, and then forgotten. It follows from the moves, so a restart loses
 * none of it. Hub thread; where a table is re-played, any. */
#ifndef RUMMYD_TABLES_MISSED_MOVES_H
#define RUMMYD_TABLES_MISSED_MOVES_H

#include "engine/eng.h"

enum { TAB_MISSED_DISCARDS_MAX = 16 }; /* remembered, the last ones */

struct tab_missed_moves {
    uint32_t from_v, to_v; /* the first and the last event of it; from_v 0: nothing was played for them */
    uint16_t turns, time_outs;
    uint16_t melds, lay_offs;
    uint16_t hands;      /* that ended since */
    int32_t points;      /* that they scored in them */
    int32_t drop_points; /* what a drop in their name cost; 0: there was none */
    int16_t opening;     /* sum of an opening in their name; 0: there was none */
    uint8_t discards_n;  /* the last cards discarded for them, oldest first */
    uint8_t discards[TAB_MISSED_DISCARDS_MAX];
};

/* Called with every move of the table, live or re-played. seat: whose missed moves these are. own: whoever
 * made the move sent it themselves. v: version of its first event. */
void tab_missed_moves_note(struct tab_missed_moves *missed, uint8_t seat, const struct eng_move *move,
                           bool own, uint32_t v, const struct eng_outcome *outcome);

#endif
