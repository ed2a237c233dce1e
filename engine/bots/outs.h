/* What a hand of the declare family is worth by the cards that would help it: its outs; see outs.c. */
#ifndef RUMMYD_ENGINE_BOTS_OUTS_H
#define RUMMYD_ENGINE_BOTS_OUTS_H

#include "engine/solver/arrange.h"
#include "engine/solver/solver.h"

/* How far the hand is from a declaration, in tenths of a card: natural cards in no group, and what the
 * sequences it lacks take. throws: one of the loose cards is about to go. */
int eng_bot_hand_cost(const struct eng_wild *wild, const struct eng_arrangement *arrangement, bool throws);
/* What cards[], n of them before a draw, are worth: higher is better, comparable between hands that see the
 * same. unseen: copies of each type that may still come. Takes some 50 arrangements, a tenth of a
 * millisecond. */
int eng_bot_outs_worth(const struct eng_wild *wild, const uint8_t unseen[SOLVER_TYPES], const uint8_t *cards,
                       int n);
/* How much a thrown card may serve others: pairs of unseen cards that want it, those of a sequence twice. */
int eng_bot_pairs_served(const uint8_t unseen[SOLVER_TYPES], uint8_t card);

#endif
