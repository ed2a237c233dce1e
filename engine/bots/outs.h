/* Values a hand of the declare family by its outs, the cards that would help it; see outs.c. */
#ifndef RUMMYD_ENGINE_BOTS_OUTS_H
#define RUMMYD_ENGINE_BOTS_OUTS_H

#include "engine/solver/arrange.h"
#include "engine/solver/solver.h"

/* Distance of the hand from a declaration, in tenths of a card: ungrouped natural cards, plus the cards
 * that missing sequences require. throws: one of the ungrouped cards is about to be discarded. */
int eng_bot_hand_cost(const struct eng_wild *wild, const struct eng_arrangement *arrangement, bool throws);
/* The worth of cards[], n of them before a draw: higher is better, comparable between hands with the same
 * view. unseen: copies of each card type that have not been seen. Evaluates about 50 arrangements, which
 * takes 0.1 ms. */
int eng_bot_outs_worth(const struct eng_wild *wild, const uint8_t unseen[SOLVER_TYPES], const uint8_t *cards,
                       int n);
/* How much a discard may help others: pairs of unseen cards that it would complete; pairs in sequence count
 * twice. */
int eng_bot_pairs_served(const uint8_t unseen[SOLVER_TYPES], uint8_t card);

#endif
