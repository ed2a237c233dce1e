/* Compares the solvers with brute force: two exhaustive searches that share no code with them, and random
 * hands: few in a normal run, as many as RUMMYD_ORACLE_HANDS in the long one (`make oracle`).
 *
 * Both searches work the same way. They try every subset of the hand's natural cards, with every number of
 * jokers, at every possible place; a subset is pruned only if two of its cards can never be in one group.
 * Then they enumerate every way to form some of these groups from distinct cards; states that can no longer
 * differ are merged. Nothing is bounded, nothing is guessed.
 *
 * Called by test_solver.c and test_arrange.c. One thread; the searches never free their memory. */
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

/* Melds: the greatest sum over all ways to lay a part of the hand, under the goal's conditions; ORACLE_NONE
 * if no way meets them. */
int oracle_laid(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                const uint8_t *cards, int n);
/* The worth of the cards as a set, or as a run from place `low`; ORACLE_NONE if they are not one. */
int oracle_set(const struct eng_solver_rules *rules, const uint8_t *cards, int n);
int oracle_run(const struct eng_solver_rules *rules, const uint8_t *cards, int n, int low);

/* The Indian family: evaluates a hand once, then returns the result for all of it, and without each card. As
 * in struct eng_arrangement; cards[] keeps its order. */
struct oracle_says {
    int level, loose, points;
};
struct oracle_says oracle_declare(const struct eng_wild *wild, const uint8_t *cards, int n);
/* For the hand evaluated last, without its card number i. */
struct oracle_says oracle_declare_without(int i);

/* Random numbers below `below`, the same for each seed; RUMMYD_ORACLE_SEED is added to it. */
void oracle_seed(unsigned seed);
unsigned oracle_random(unsigned below);
/* Appends the card unless it is already there; returns the new number. */
int oracle_add(uint8_t *hand, int n, unsigned card);
/* How many hands of a kind; `few` in a normal run. */
int oracle_hands(int few);
/* After the last one: in the long run prints a line with the kind and the number of equal results. */
void oracle_equal(int hands, const char *kind);

#endif
