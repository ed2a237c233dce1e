/* Sets of cards as bit masks: a hand is two words, one per pack, and every query on it (contains this card,
 * how many, which naturals) takes a few instructions. Inline; engine only. */
#ifndef RUMMYD_ENGINE_CORE_CARDS_H
#define RUMMYD_ENGINE_CORE_CARDS_H

#include "base/bug.h"
#include "engine/eng.h"

enum {
    ENG_PACK_CARDS = 52,
    ENG_RANKS = 13,
    ENG_SUITS = 4,
    ENG_JOKER_MAX = ENG_CARD_MAX - ENG_JOKER_FIRST,
    ENG_RANK_ACE = 0,
    ENG_RANK_TWO = 1,
    ENG_RANK_TEN = 9,
    ENG_RANK_KING = 12,
    ENG_PLACE_ACE_HIGH = 13, /* places in a run: 0 ace low, 1..12 two to king, 13 ace high */
};

/* Card c is bit c of w[0] if below 52, otherwise bit c - 52 of w[1]; jokers are bits 52..57 of w[1]. */
struct eng_cards {
    uint64_t w[2];
};

#define ENG_PACK_MASK ((UINT64_C(1) << ENG_PACK_CARDS) - 1)
#define ENG_JOKER_MASK (((UINT64_C(1) << ENG_JOKER_MAX) - 1) << ENG_PACK_CARDS)

static inline bool eng_is_joker(uint8_t card)
{
    return card >= ENG_JOKER_FIRST;
}

static inline uint8_t eng_rank(uint8_t card)
{
    ASSERT(card < ENG_JOKER_FIRST);
    return (uint8_t)(card % ENG_RANKS);
}

static inline uint8_t eng_suit(uint8_t card)
{
    ASSERT(card < ENG_JOKER_FIRST);
    return (uint8_t)(card % ENG_PACK_CARDS / ENG_RANKS);
}

/* The rank that a turned-up card makes wild; a printed joker makes aces wild. */
static inline uint8_t eng_wild_rank(uint8_t card)
{
    return eng_is_joker(card) ? ENG_RANK_ACE : eng_rank(card);
}

static inline uint64_t eng_card_bit(uint8_t card)
{
    return UINT64_C(1) << (card < ENG_PACK_CARDS ? card : card - ENG_PACK_CARDS);
}

static inline bool eng_cards_has(const struct eng_cards *set, uint8_t card)
{
    return card < ENG_CARD_MAX && (set->w[card >= ENG_PACK_CARDS] & eng_card_bit(card)) != 0;
}

/* The card must not be in the set. */
static inline void eng_cards_add(struct eng_cards *set, uint8_t card)
{
    ASSERT(card < ENG_CARD_MAX && !eng_cards_has(set, card));
    set->w[card >= ENG_PACK_CARDS] |= eng_card_bit(card);
}

/* The card must be in the set. */
static inline void eng_cards_remove(struct eng_cards *set, uint8_t card)
{
    ASSERT(eng_cards_has(set, card));
    set->w[card >= ENG_PACK_CARDS] &= ~eng_card_bit(card);
}

/* Counts both words together, because baseline x86-64 has no popcount instruction. */
static inline int eng_cards_count(const struct eng_cards *set)
{
    uint64_t twos = UINT64_MAX / 3, fours = UINT64_MAX / 5, eights = UINT64_MAX / 17;
    uint64_t a = set->w[0] - (set->w[0] >> 1 & twos), b = set->w[1] - (set->w[1] >> 1 & twos);
    uint64_t sum = (a & fours) + (a >> 2 & fours) + (b & fours) + (b >> 2 & fours);
    sum = (sum & eights) + (sum >> 4 & eights);
    return (int)(sum * (UINT64_MAX / 255) >> 56);
}

static inline int eng_cards_jokers(const struct eng_cards *set)
{
    return __builtin_popcountll(set->w[1] & ENG_JOKER_MASK);
}

static inline bool eng_cards_has_natural(const struct eng_cards *set)
{
    return (set->w[0] | (set->w[1] & ENG_PACK_MASK)) != 0;
}

/* All cards of this many packs, with this many jokers. */
static inline struct eng_cards eng_cards_pack(int packs, int jokers)
{
    ASSERT((packs == 1 || packs == 2) && jokers >= 0 && jokers <= ENG_JOKER_MAX);
    uint64_t extra = ((UINT64_C(1) << jokers) - 1) << ENG_PACK_CARDS;
    return (struct eng_cards){{ENG_PACK_MASK, (packs == 2 ? ENG_PACK_MASK : 0) | extra}};
}

/* Lists the cards in ascending order; returns how many. */
static inline int eng_cards_list(const struct eng_cards *set, uint8_t *out)
{
    int n = 0;
    for (int half = 0; half < 2; half++)
        for (uint64_t left = set->w[half]; left != 0; left &= left - 1)
            out[n++] = (uint8_t)(half * ENG_PACK_CARDS + __builtin_ctzll(left));
    ASSERT(n <= ENG_CARD_MAX);
    return n;
}

#endif
