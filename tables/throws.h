/* How often a seat's discard was taken by the next seat to draw, gathered from a game's events: the input of
 * the collusion report. The settlement stores it in the database. Hub thread; any thread where a table is
 * replayed or bots play among themselves. */
#ifndef RUMMYD_TABLES_THROWS_H
#define RUMMYD_TABLES_THROWS_H

#include "engine/eng.h"

/* One seat's discards, by the seat that drew next: how often that seat drew with the discard on top of the
 * pile, and how often it took and kept it. */
struct tab_throws_of {
    uint32_t chances[ENG_SEAT_MAX], taken[ENG_SEAT_MAX];
};

struct tab_throws {
    struct tab_throws_of of[ENG_SEAT_MAX];
    uint8_t away;    /* one bit per seat that a bot plays for its player */
    bool by_clock;   /* the clock plays the rest of this turn */
    uint8_t thrower; /* 1 + seat that made the discard on top, if no seat has drawn since; 0: none */
    uint8_t took;    /* 1 + seat whose discard the seat to move has taken; 0: none */
};

/* throws: zeroed before the first hand. They add up over all hands of a session. What a bot or the clock does
 * for an absent player counts neither as a discard nor as a chance. */
void tab_throws_note(struct tab_throws *throws, const struct eng_event *event);

#endif
