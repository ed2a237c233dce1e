/* Facts that achievements ask of a seat's game, gathered from its events: how it opened, what it did with
 * jokers. They go to the database with the settlement. Hub thread; where a table is re-played, any. */
#ifndef RUMMYD_TABLES_ACHIEVEMENT_FACTS_H
#define RUMMYD_TABLES_ACHIEVEMENT_FACTS_H

#include "engine/eng.h"

struct tab_achievement_facts {
    int16_t opening; /* points of the opening; 0: did not open, or by a lay-off */
    int16_t swaps;   /* jokers swapped off the table for good */
    bool buried;     /* a joker below a discard */
    bool joker_out;  /* the last discard had a joker in it */
};

/* facts: ENG_SEAT_MAX of them, one for each seat, zeroed before the first hand. They add up over all hands of
 * a session. */
void tab_achievement_facts_note(struct tab_achievement_facts *facts, const struct eng_event *event);

#endif
