/* Values a hand of the declare family by the cards that would help it: its outs; see outs.c. */
#ifndef RUMMYD_ENGINE_BOTS_OUTS_H
#define RUMMYD_ENGINE_BOTS_OUTS_H

#include "engine/solver/arrange.h"
#include "engine/solver/solver.h"

/* Distance of the hand from a declaration, in tenths of a card: natural cards in no group, and what the
 * missing sequences require. throws: one of the ungrouped cards is about to be discarded. */
int eng_bot_hand_cost(const struct eng_wild *wild, const struct eng_arrangement *arrangement, bool throws);
/* The worth of cards[], n of them before a draw: higher is better, comparable between hands with the same
 * view. unseen: copies of each type that can still come. Evaluates about 50 arrangements, which takes a tenth
 * of a millisecond. */
int eng_bot_outs_worth(const struct eng_wild *wild, const uint8_t unseen[SOLVER_TYPES], const uint8_t *cards,
                       int n);
/* How much a discard may help others: pairs of unseen cards that need it, with those of a sequence counted
 * twice. */
int eng_bot_pairs_served(const uint8_t unseen[SOLVER_TYPES], uint8_t card);

#endif
