/* Properties of whole sessions of random play, for every variant and option: the unit tests check them in a
 * few hundred sessions and the nightly run over ten million moves. Also computes the signature of the
 * rules. Aborts with a line (base/bug.h) if a property is violated. */
#ifndef RUMMYD_TESTS_ENGINE_PROVE_H
#define RUMMYD_TESTS_ENGINE_PROVE_H

#include "engine/core/game.h"
#include "engine/core/params.h"
#include "engine/eng.h"

struct prove_counts {
    uint64_t sessions, hands, moves, refused, records;
};

/* A variant with options, and the number of players. Every third number gives a row with random switches;
 * the others are valid private tables. */
struct eng_params prove_row(uint64_t number, int *players);

/* Whether prove_row changes this option. */
bool prove_varies(const char *option);

/* Plays the session of that number. After every move: a refusal has changed nothing, every card exists once
 * (eng_check), and the version counts the events. Every few moves: the seat to move has a plain way to end
 * its turn, every view is unchanged if hidden cards are dealt differently, and all moves that eng_legal
 * lists are legal. After every hand: the moves, replayed from their journal bytes, give the same game;
 * occasionally its record prints, parses, prints the same, and verifies. The session ends. */
void prove_session(uint64_t number, struct prove_counts *counts);

/* One number for seeded sessions of a variant with each of its options: computed from the events, so that it
 * only changes if the rules do. */
uint64_t prove_signature(const struct eng_params *row);

/* Deals everything that `viewer` may not know differently. */
void prove_change_hidden(struct eng_game *game, uint8_t viewer, uint64_t *rng);

#endif
