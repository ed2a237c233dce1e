/* Facts that achievements and statistics need about a seat's game, gathered from its events: how and when it
 * opened, what it melded, and what it did with jokers. The settlement stores them in the database. Hub
 * thread; any thread where a table is replayed. */
#ifndef RUMMYD_TABLES_ACHIEVEMENT_FACTS_H
#define RUMMYD_TABLES_ACHIEVEMENT_FACTS_H

#include "engine/eng.h"

struct tab_achievement_facts {
    int16_t opening;       /* points of the opening; 0: did not open, or opened by a lay-off */
    uint16_t opening_turn; /* the seat's turn number in the hand of the opening, from 1; 0: did not open */
    uint16_t turn;         /* the seat's turn number in this hand, from 1 */
    int16_t sets, runs;    /* melds of this seat that remained on the table; a declared hand has none */
    int16_t swaps;         /* jokers swapped off the table and not put back */
    int8_t pure_runs;      /* runs without a joker melded in this hand before the opening */
    bool opened_pure;      /* opened with a run without a joker */
    bool buried;           /* a joker lies below another discard */
    bool joker_out;        /* the last discard included a joker */
};

/* facts: ENG_SEAT_MAX entries, one per seat, zeroed before the first hand. They accumulate over all hands
 * of a session. */
void tab_achievement_facts_note(struct tab_achievement_facts *facts, const struct eng_event *event);

#endif
