/* The exact best grouping of a hand of the declare family: a valid declaration if possible, otherwise the
 * fewest points (docs/rules.md §8.1 and §8.6).
 *
 * Called to score a showdown, for hints, and many times per move by the bots. Pure: no allocation, about 12
 * KiB of stack, no state except a table of 512 KiB that is filled before main and read-only afterward. Any
 * thread. tests/engine/test_arrange.c compares it with a brute-force search. */
#ifndef RUMMYD_ENGINE_SOLVER_ARRANGE_H
#define RUMMYD_ENGINE_SOLVER_ARRANGE_H

#include "engine/core/grouping.h"

enum { ARRANGE_GROUPS_MAX = ENG_HAND_MAX / ENG_MELD_MIN, ARRANGE_POINTS_MAX = 10 * ENG_HAND_MAX };

/* How close a hand is to a declaration. At the highest level, only ungrouped cards count; below it, all
 * cards do. */
enum eng_arrange_level { ARRANGE_NO_PURE, ARRANGE_ONE_SEQUENCE, ARRANGE_TWO_SEQUENCES };

struct eng_arrangement {
    uint8_t level;  /* enum eng_arrange_level: the highest that the hand allows */
    uint8_t loose;  /* points of the ungrouped cards: the minimum at this level */
    uint8_t points; /* uncapped: `loose` at the highest level, otherwise the points of all cards */
    uint8_t finish; /* the card to put into the finish slot, or ENG_NO_CARD */
    uint8_t n;      /* number of cards[], without the finishing card */
    uint8_t groups;
    uint8_t lens[ARRANGE_GROUPS_MAX];
    uint8_t cards[ENG_HAND_MAX]; /* group after group, sequences ascending; then ungrouped ones */
};

/* Arranges all the cards, at most ENG_HAND_MAX. */
void eng_arrange(const struct eng_wild *wild, const uint8_t *cards, int n, struct eng_arrangement *best);
/* Arranges all cards except one, which it chooses for the finish slot (or to be discarded). */
void eng_arrange_finish(const struct eng_wild *wild, const uint8_t *cards, int n,
                        struct eng_arrangement *best);
/* Finds a valid declaration, with all cards except the finishing one in groups. false: there is none. */
bool eng_arrange_declaration(const struct eng_wild *wild, const uint8_t *cards, int n,
                             struct eng_arrangement *best);
/* For each kind of card, evaluates the hand without one such card; returns the number of kinds. */
struct eng_arrange_rest {
    uint8_t card, level, loose; /* as in struct eng_arrangement */
};
int eng_arrange_without(const struct eng_wild *wild, const uint8_t *cards, int n,
                        struct eng_arrange_rest rests[ENG_HAND_MAX]);
/* Only the points of eng_arrange(), uncapped. */
int eng_arrange_points(const struct eng_wild *wild, const uint8_t *cards, int n);

#endif
