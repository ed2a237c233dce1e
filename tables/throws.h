/* How often what a seat threw was taken by the seat that drew next, gathered from a game's events: what the
 * report of collusion is made of. It goes to the database with the settlement. Hub thread; where a table is
 * re-played, or bots play for themselves, any. */
#ifndef RUMMYD_TABLES_THROWS_H
#define RUMMYD_TABLES_THROWS_H

#include "engine/eng.h"

/* Of one seat's throws, by the seat that drew next: how often that seat drew with the throw on top of the
 * discard pile, and how often it took it and kept it. */
struct tab_throws_of {
    uint32_t chances[ENG_SEAT_MAX], taken[ENG_SEAT_MAX];
};

struct tab_throws {
    struct tab_throws_of of[ENG_SEAT_MAX];
    uint8_t away;    /* a bit for each seat that a bot plays for its player */
    bool by_clock;   /* the clock plays the rest of this turn */
    uint8_t thrower; /* 1 + seat of the throw on top that nobody has drawn behind; 0: there is none */
    uint8_t took;    /* 1 + seat of the throw that the seat to move has taken; 0: none */
};

/* throws: zeroed before the first hand. They add up over all hands of a session. What a bot or the clock does
 * for an absent player is no throw of theirs, and no chance. */
void tab_throws_note(struct tab_throws *throws, const struct eng_event *event);

#endif
