/* Counts how often the next seat to draw took a seat's discard, based on a game's events. This is the input
 * of the collusion report. The settlement stores it in the database. Hub thread; any thread where a table
 * is replayed or bots play among themselves. */
#ifndef RUMMYD_TABLES_THROWS_H
#define RUMMYD_TABLES_THROWS_H

#include "engine/eng.h"

/* One seat's discards, by the seat that drew next: how often that seat drew while the discard was on top of
 * the pile, and how often it took and kept the discard. */
struct tab_throws_of {
    uint32_t chances[ENG_SEAT_MAX], taken[ENG_SEAT_MAX];
};

struct tab_throws {
    struct tab_throws_of of[ENG_SEAT_MAX];
    uint8_t away;    /* one bit per seat that a bot plays for the player */
    bool by_clock;   /* the rest of this turn is played because of a timeout */
    uint8_t thrower; /* 1 + seat that made the discard on top, if no seat has drawn since; 0: none */
    uint8_t took;    /* 1 + seat whose discard the seat to move has taken; 0: none */
};

/* throws: zeroed before the first hand. They accumulate over all hands of a session. Moves made by a bot or
 * the clock for an absent player count neither as discards nor as chances. */
void tab_throws_note(struct tab_throws *throws, const struct eng_event *event);

#endif
