/* Groups of the Indian 13-card family: wild cards, what a group is, whether a whole grouping is a valid
 * declaration and how many points it leaves (docs/rules.md §8.1 and §8.6). Groups are judged as
 * they are made, each read in the player's favour; eng_solve_grouping finds the best one.
 *
 * Pure functions; no memory of their own. Any thread. */
#ifndef RUMMYD_ENGINE_CORE_GROUPING_H
#define RUMMYD_ENGINE_CORE_GROUPING_H

#include "engine/core/meld.h"
#include "engine/eng.h"

enum {
    ENG_GROUPING_CARDS = 13, /* of a hand without the finishing card */
    ENG_GROUPING_GROUPS = 4, /* three cards at least in each */
    ENG_GROUP_SEQUENCE_MAX = 13,
};

/* The card that was turned up decides what is wild. */
struct eng_wild {
    uint8_t card;      /* turned up; ENG_NO_CARD: printed jokers alone are wild */
    bool exact;        /* only its rank and suit, not its whole rank */
    bool natural_pure; /* a wild card in its natural place does not spoil a pure sequence */
};

/* In rising order of what they are good for. */
enum eng_group_kind { ENG_GROUP_NONE, ENG_GROUP_SET, ENG_GROUP_SEQUENCE, ENG_GROUP_PURE };

/* Cards in groups, group after group, then those in none. */
struct eng_grouping {
    uint8_t n; /* cards in all */
    uint8_t cards[ENG_GROUPING_CARDS];
    uint8_t groups;
    uint8_t lens[ENG_GROUPING_GROUPS];
};

/* Stands for any card: every printed joker and what the turned-up card makes wild. A printed joker
 * turned up makes all aces wild. */
bool eng_is_wild(const struct eng_wild *wild, uint8_t card);
/* The same for all natural cards at once: bit suit * 13 + rank. */
uint64_t eng_wild_types(const struct eng_wild *wild);

/* The best reading of a group of at most ENG_HAND_MAX cards, in any order. Jokers alone are a set. */
enum eng_group_kind eng_group_judge(const struct eng_wild *wild, const uint8_t *cards, int n);

/* ENG_OK: a valid declaration, all 13 cards in groups, two sequences, one of them pure. Else why not, with
 * the cards to blame: grouping_incomplete, the code of the first group that is none, needs_pure_sequence or
 * needs_two_sequences. */
enum eng_refusal eng_grouping_check(const struct eng_wild *wild, const struct eng_grouping *grouping,
                                    struct eng_blame *blame);
bool eng_grouping_valid(const struct eng_wild *wild, const struct eng_grouping *grouping);

/* What the hand counts against its player, `cap` at most: with two sequences, one of them pure, the cards
 * that are in no valid group, else all. */
int eng_grouping_points(const struct eng_wild *wild, const struct eng_grouping *grouping, int cap);
/* The grouping of at most 13 cards with the fewest points (*points, uncapped), exactly: valid if there is one
 * that is. See engine/solver/arrange.h. */
void eng_solve_grouping(const struct eng_wild *wild, const uint8_t *cards, int n, struct eng_grouping *best,
                        int *points);
/* Of one card: ace and courts 10, jokers and wild cards nothing. */
int eng_grouping_card_points(const struct eng_wild *wild, uint8_t card);

#endif
