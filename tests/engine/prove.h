/* Properties of whole sessions of random play, for every variant and option: what the unit tests do for some
 * hundred sessions and the nightly run for ten million moves, and the signature of the rules. Breaks off with
 * a line (base/bug.h) where a property does not hold. */
#ifndef RUMMYD_TESTS_ENGINE_PROVE_H
#define RUMMYD_TESTS_ENGINE_PROVE_H

#include "engine/core/game.h"
#include "engine/core/params.h"
#include "engine/eng.h"

struct prove_counts {
    uint64_t sessions, hands, moves, refused, records;
};

/* The variants one after the other; NULL after the last. */
const struct eng_params *prove_variant(size_t number);

/* A variant with options, and how many play: every third number is a row with its switches thrown at random,
 * the others are what a private table can be. */
struct eng_params prove_row(uint64_t number, int *players);

/* Plays the session of that number. After every move: a refusal has changed nothing, every card is somewhere
 * once (eng_check), the version counts the events. Every few moves: the seat to move has a plain way to end
 * its turn, every view is the same when what it does not show is dealt otherwise, and what eng_legal lists is
 * legal. After every hand: the moves played again, from their journal's bytes, give the same game; now and
 * then its record prints, reads, prints the same and verifies. The session ends. */
void prove_session(uint64_t number, struct prove_counts *counts);

/* One number for seeded sessions of a variant with each of its options: made of what the events tell, so that
 * a change that means no change of rules keeps it. */
uint64_t prove_signature(const struct eng_params *row);

/* Everything that `viewer` may not know is dealt otherwise. */
void prove_change_hidden(struct eng_game *game, uint8_t viewer, uint64_t *rng);

#endif
