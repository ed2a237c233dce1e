/* Compares the solvers with brute force: two exhaustive searches that share no code with them, applied to
 * random hands: a few in a normal run, RUMMYD_ORACLE_HANDS in the long one (`make oracle`).
 *
 * Both searches work the same way. They try every subset of the hand's natural cards, with every number of
 * jokers, at every possible place; a subset is pruned only if two of its cards can never be in one group.
 * Then they enumerate every way to form some of these groups from distinct cards; equivalent states are
 * merged. The searches use no bounds and no heuristics.
 *
 * Called by test_solver.c and test_arrange.c. They run in one thread, and never free their memory. */
#ifndef RUMMYD_TESTS_ENGINE_ORACLE_H
#define RUMMYD_TESTS_ENGINE_ORACLE_H

#include "engine/core/grouping.h"
#include "engine/solver/solver.h"

enum {
    ORACLE_CARDS = 15, /* per hand */
    ORACLE_LOTS = 1 << ORACLE_CARDS,
    ORACLE_NONE = -1000000,
    ORACLE_JOKER = 104, /* the first of them; the numbers below are two packs */
};

/* Melds: the greatest sum over all ways to lay a part of the hand that meet the goal's conditions;
 * ORACLE_NONE if no way does. */
int oracle_laid(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                const uint8_t *cards, int n);
/* The value of the cards as a set, or as a run from place `low`; ORACLE_NONE if they are not one. */
int oracle_set(const struct eng_solver_rules *rules, const uint8_t *cards, int n);
int oracle_run(const struct eng_solver_rules *rules, const uint8_t *cards, int n, int low);

/* The Indian family: evaluates a hand once and returns the result for the whole hand;
 * oracle_declare_without returns the results without one card. The fields are as in struct eng_arrangement;
 * cards[] keeps its order. */
struct oracle_says {
    int level, loose, points;
};
struct oracle_says oracle_declare(const struct eng_wild *wild, const uint8_t *cards, int n);
/* The result for the last evaluated hand, without its card number i. */
struct oracle_says oracle_declare_without(int i);

/* Random numbers below `below`, the same for each seed; RUMMYD_ORACLE_SEED is added to it. */
void oracle_seed(unsigned seed);
unsigned oracle_random(unsigned below);
/* Appends the card unless it is already there; returns the new number. */
int oracle_add(uint8_t *hand, int n, unsigned card);
/* Number of hands to check per kind: `few` in a normal run. */
int oracle_hands(int few);
/* Call it after the last hand: in the long run it prints a line with the kind and the number of equal
 * results. */
void oracle_equal(int hands, const char *kind);

#endif
