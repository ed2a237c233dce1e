/* Groups in the declare family (Indian 13-card games): which cards are wild, which cards form a group,
 * whether a complete grouping is a valid declaration, and how many points it leaves (docs/rules.md §8.1 and
 * §8.6). Groups are judged as submitted, each interpreted in the player's favor; eng_solve_grouping finds
 * the best one.
 *
 * Pure functions without state. Any thread. */
#ifndef RUMMYD_ENGINE_CORE_GROUPING_H
#define RUMMYD_ENGINE_CORE_GROUPING_H

#include "engine/core/meld.h"
#include "engine/eng.h"

enum {
    ENG_GROUPING_CARDS = 13, /* a hand without the finishing card */
    ENG_GROUPING_GROUPS = 4, /* at least three cards in each */
    ENG_GROUP_SEQUENCE_MAX = 13,
};

/* The turned-up card determines what is wild. */
struct eng_wild {
    uint8_t card;      /* turned up; ENG_NO_CARD: only printed jokers are wild */
    bool exact;        /* only its rank and suit are wild, not its whole rank */
    bool natural_pure; /* a wild card in its natural place does not spoil a pure sequence */
};

/* Which cards the turned-up card makes wild. */
struct eng_wild eng_wild_of(const struct eng_params *params, uint8_t wild_card);

/* In ascending order of value. */
enum eng_group_kind { ENG_GROUP_NONE, ENG_GROUP_SET, ENG_GROUP_SEQUENCE, ENG_GROUP_PURE };

/* Cards in groups, group after group, then ungrouped ones. */
struct eng_grouping {
    uint8_t n; /* total number of cards */
    uint8_t cards[ENG_GROUPING_CARDS];
    uint8_t groups;
    uint8_t lens[ENG_GROUPING_GROUPS];
};

/* Whether the card can represent any other card: true for printed jokers and for cards that the turned-up
 * card makes wild. A printed joker turned up makes all aces wild. */
bool eng_is_wild(const struct eng_wild *wild, uint8_t card);
/* The same for all natural cards together, as a mask with bit suit * 13 + rank. */
uint64_t eng_wild_types(const struct eng_wild *wild);

/* The best interpretation of a group of at most ENG_HAND_MAX cards, in any order. Jokers alone are a
 * set. */
enum eng_group_kind eng_group_judge(const struct eng_wild *wild, const uint8_t *cards, int n);

/* ENG_OK: a valid declaration, all 13 cards in groups, two sequences, one of them pure. Otherwise the reason,
 * with the offending cards: grouping_incomplete, the code of the first invalid group, needs_pure_sequence, or
 * needs_two_sequences. */
enum eng_refusal eng_grouping_check(const struct eng_wild *wild, const struct eng_grouping *grouping,
                                    struct eng_blame *blame);
bool eng_grouping_valid(const struct eng_wild *wild, const struct eng_grouping *grouping);

/* The hand's penalty points, at most `cap`. With two sequences, one of them pure, only cards outside valid
 * groups count; otherwise all cards count. */
int eng_grouping_points(const struct eng_wild *wild, const struct eng_grouping *grouping, int cap);
/* Finds the grouping of at most 13 cards with the fewest points (*points, uncapped); the result is exact,
 * so it is a valid declaration if there is one. See engine/solver/arrange.h. */
void eng_solve_grouping(const struct eng_wild *wild, const uint8_t *cards, int n, struct eng_grouping *best,
                        int *points);
/* Points of one card: 10 for aces and face cards, 0 for jokers and wild cards. */
int eng_grouping_card_points(const struct eng_wild *wild, uint8_t card);

#endif
