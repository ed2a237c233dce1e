/* Facts that achievements and statistics ask of a seat's game, gathered from its events: how and when it
 * opened, what it melded, what it did with jokers. They go to the database with the settlement. Hub thread;
 * where a table is re-played, any. */
#ifndef RUMMYD_TABLES_ACHIEVEMENT_FACTS_H
#define RUMMYD_TABLES_ACHIEVEMENT_FACTS_H

#include "engine/eng.h"

struct tab_achievement_facts {
    int16_t opening;       /* points of the opening; 0: did not open, or by a lay-off */
    uint16_t opening_turn; /* of its own turns in that hand, from 1; 0: did not open */
    uint16_t turn;         /* of its own in this hand, from 1 */
    int16_t sets, runs;    /* melds of its own that stayed on the table; a declared hand has none */
    int16_t swaps;         /* jokers swapped off the table for good */
    int8_t pure_runs;      /* runs without a joker laid in this hand before the opening */
    bool opened_pure;      /* opened with such a run */
    bool buried;           /* a joker below a discard */
    bool joker_out;        /* the last discard had a joker in it */
};

/* facts: ENG_SEAT_MAX of them, one for each seat, zeroed before the first hand. They add up over all hands of
 * a session. */
void tab_achievement_facts_note(struct tab_achievement_facts *facts, const struct eng_event *event);

#endif
