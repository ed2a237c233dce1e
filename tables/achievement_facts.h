/* What achievements ask of a seat's game, noticed as its events go by: how it opened, what it did with
 * jokers. Hub thread. */
#ifndef RUMMYD_TABLES_ACHIEVEMENT_FACTS_H
#define RUMMYD_TABLES_ACHIEVEMENT_FACTS_H

#include "engine/eng.h"

struct tab_achievement_facts {
    int16_t opening; /* sum of the opening; 0: did not open */
    int16_t swaps;   /* jokers swapped off the table for good */
    bool buried;     /* a joker below a discard */
    bool joker_out;  /* the last discard had a joker in it */
};

/* facts: one for each seat, zeroed before the first hand; they gather over all hands of a session. */
void tab_achievement_facts_note(struct tab_achievement_facts *facts, const struct eng_event *event);

#endif
