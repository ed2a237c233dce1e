/* The solvers held against brute force: two exhaustive searches that share no code with them, random hands,
 * and how many of them: few in a common run, as many as RUMMYD_ORACLE_HANDS says in the long one (`make
 * oracle`).
 *
 * Both searches go the same way. Every part of the hand's natural cards is tried, with every number of
 * jokers, at every place it could have; a part is only given up when two of its cards cannot stand in one
 * group, whatever else comes. Then every way to make some of these groups out of different cards is gone
 * through; ways that can no longer differ are one from there on. Nothing is bounded, nothing is guessed.
 *
 * Called by test_solver.c and test_arrange.c. One thread; the memory of the searches is theirs for good. */
#ifndef RUMMYD_TESTS_ENGINE_ORACLE_H
#define RUMMYD_TESTS_ENGINE_ORACLE_H

#include "engine/core/grouping.h"
#include "engine/solver/solver.h"

enum {
    ORACLE_CARDS = 15, /* of a hand */
    ORACLE_LOTS = 1 << ORACLE_CARDS,
    ORACLE_NONE = -1000000,
    ORACLE_JOKER = 104, /* the first of them; all cards before are two packs */
};

/* Laid-down melds: the greatest sum over all ways to lay a part of the hand, under the goal's conditions;
 * ORACLE_NONE when there is none. */
int oracle_laid(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                const uint8_t *cards, int n);
/* What the cards are worth as a set, as a run from place `low`; ORACLE_NONE when they are none. */
int oracle_set(const struct eng_solver_rules *rules, const uint8_t *cards, int n);
int oracle_run(const struct eng_solver_rules *rules, const uint8_t *cards, int n, int low);

/* The Indian family: looks at a hand once, then tells of all of it and of what each card leaves that goes. As
 * in struct eng_arrangement; cards[] is kept as it was given. */
struct oracle_says {
    int level, loose, points;
};
struct oracle_says oracle_declare(const struct eng_wild *wild, const uint8_t *cards, int n);
/* Of the hand looked at last, without its card number i. */
struct oracle_says oracle_declare_without(int i);

/* Random numbers below `below`, the same for each seed; RUMMYD_ORACLE_SEED is added to it. */
void oracle_seed(unsigned seed);
unsigned oracle_random(unsigned below);
/* Puts the card after the others unless it is among them; returns how many there are. */
int oracle_add(uint8_t *hand, int n, unsigned card);
/* How many hands of a kind; `few` in a common run. */
int oracle_hands(int few);
/* After the last: in the long run a line says of what kind so many were equal. */
void oracle_equal(int hands, const char *kind);

#endif
