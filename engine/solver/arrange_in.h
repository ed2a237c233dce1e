/* Shared by the files of the declare family's solver: the hand by suits, and the table of the points that
 * sequences leave over for each subset of a suit. Lower values are better. */
#ifndef RUMMYD_ENGINE_SOLVER_ARRANGE_IN_H
#define RUMMYD_ENGINE_SOLVER_ARRANGE_IN_H

#include "engine/solver/arrange.h"

enum {
    ARR_NEVER = 200, /* impossible: more than the points of any hand */
    ARR_LANES = ENG_HAND_MAX + 1,
    ARR_LAST_PLACE = ENG_PLACE_ACE_HIGH,
    ARR_MASKS = 1 << ARR_LAST_PLACE, /* places 1 (two) to 13 (ace) */
    ARR_WINDOWS_MAX = 33,            /* three lengths at each place */
    ARR_RUNS_MAX = 64,               /* sequences through one place: 7 low ends times 8 high ends */
    ARR_MEMO = 256,
};

/* What the sequences of some cards must include. */
enum eng_arrange_need { ARR_ANY, ARR_SEQUENCE, ARR_PURE, ARR_BOTH, ARR_NEEDS };

/* Cards that are not wild, 16 bits per suit, with one bit per place 1 (two) to 13 (ace): those present, and
 * those present twice. */
struct eng_arrange_cards {
    uint64_t once, twice;
};

/* The same for one suit. */
struct eng_arrange_suit {
    unsigned once, twice;
};

/* Points left over in one or several suits, by need and by the number of jokers available. */
struct eng_arrange_row {
    uint8_t of[ARR_NEEDS][ARR_LANES];
};

/* Rows for every subset of a suit without twins (two equal cards), indexed by its places shifted right by
 * one. Filled before main; 512 KiB. */
extern struct eng_arrange_row eng_arrange_plain[ARR_MASKS];

/* A sequence, or the places of a pure one: the cards it uses that are not wild, with the ace at place
 * 13. */
struct eng_arrange_run {
    uint16_t cards;
    uint8_t low, n; /* without jokers that only extend it to the minimum length */
    uint8_t jokers; /* including a wild card in its natural place */
};

/* Cached rows (any[] and sequence[]) of suits with twins; new rows overwrite old ones. */
struct eng_arrange_memo {
    uint32_t keys[ARR_MEMO];
    uint8_t rows[ARR_MEMO][2 * ARR_LANES];
};

struct eng_arrange {
    const struct eng_wild *wild;
    uint64_t types;            /* card types that are wild */
    uint8_t jokers;            /* number of printed jokers and wild cards */
    uint16_t wilds[ENG_SUITS]; /* places of wild cards that a pure sequence may contain */
    /* The last choice of sets evaluated (eng_arrange_rows): the order of the suits, with those that may
     * contain a pure sequence last; the row of each suit; and the sums of the suits up to each. */
    bool rows_known;
    uint8_t order[ENG_SUITS];
    struct eng_arrange_cards rows_cards;
    const struct eng_arrange_row *rows[ENG_SUITS], *sums[ENG_SUITS - 1];
    struct eng_arrange_row own[ENG_SUITS], own_sums[ENG_SUITS - 1];
    struct eng_arrange_memo memo;
};

enum {
    ARR_SETS_MAX = 128, /* 15 cards, in two ranks with nearly all their cards, make 88 */
    ARR_SETS_JOKERS = 2,
    ARR_PICKS_MAX = 5, /* at least three cards in each */
    ARR_PARTS = 9,
};

/* One or two sets of a rank: cards of the suits in `first`, and again in `second`. */
struct eng_arrange_sets {
    uint8_t place, first, second, jokers;
    uint8_t points;
};

struct eng_arrange_search {
    struct eng_arrange a;
    struct eng_arrange_cards cards; /* the hand, or the hand without one card */
    uint8_t jokers;
    enum eng_arrange_need need;
    int best; /* points left over by the best choice, which follows */
    struct eng_arrange_cards best_cards;
    uint8_t best_jokers, best_picks_n, best_picks[ARR_PICKS_MAX];
    uint8_t picks[ARR_PICKS_MAX];
    uint8_t ranks_n, sets_n;
    uint8_t places[ENG_RANKS];   /* ranks that can have sets, the best first */
    uint8_t next[ENG_RANKS + 1]; /* index of the first one in sets[] for each rank */
    /* Upper limit of the gain from sets of this rank and later ones, by jokers and rank. */
    uint8_t potential[ARR_LANES][ENG_RANKS + 1];
    struct eng_arrange_sets sets[ARR_SETS_MAX];
};

/* What each of two parts must include so that they meet the need together. */
struct eng_arrange_parts {
    uint8_t need, one, other;
};
extern const struct eng_arrange_parts eng_arr_parts[ARR_PARTS];

static inline struct eng_arrange_suit arr_suit_of(const struct eng_arrange_cards *cards, int suit)
{
    return (struct eng_arrange_suit){(unsigned)(cards->once >> (16 * suit)) & 0xffff,
                                     (unsigned)(cards->twice >> (16 * suit)) & 0xffff};
}

/* The cards without one copy of each card in `taken`. */
static inline struct eng_arrange_cards arr_without(struct eng_arrange_cards cards, uint64_t taken)
{
    uint64_t twins = cards.twice & taken;

    return (struct eng_arrange_cards){cards.once & ~(taken ^ twins), cards.twice ^ twins};
}

static inline struct eng_arrange_suit arr_suit_without(struct eng_arrange_suit suit, unsigned taken)
{
    unsigned twins = suit.twice & taken;

    return (struct eng_arrange_suit){suit.once & ~(taken ^ twins), suit.twice ^ twins};
}

/* The cards of these suits at a place. */
static inline uint64_t arr_at(unsigned suits, int place)
{
    return ((suits & 1) | (uint64_t)(suits & 2) << 15 | (uint64_t)(suits & 4) << 30 |
            (uint64_t)(suits & 8) << 45)
           << place;
}

/* The suits of the cards at a place. The multiplication gathers their four bits, which are 16 apart, at the
 * top. */
static inline unsigned arr_suits_at(uint64_t cards, int place)
{
    uint64_t apart = cards >> place & UINT64_C(0x0001000100010001);

    return (unsigned)(apart * UINT64_C(0x0001000200040008) >> 48) & 15;
}

static inline uint8_t arr_weight(int place)
{
    return (uint8_t)(place < ENG_RANK_TEN ? place + 1 : 10);
}

static inline int arr_place_of(int rank)
{
    return rank == ENG_RANK_ACE ? ENG_PLACE_ACE_HIGH : rank;
}

/* Sorts the cards by suit and place; returns their points. */
int eng_arrange_lay_out(struct eng_arrange *a, const struct eng_wild *wild, const uint8_t *cards, int n,
                        struct eng_arrange_cards *laid);

/* any[] followed by sequence[] for these cards of a suit; in `own` if no table has them. */
void eng_arrange_twins_row(struct eng_arrange_memo *memo, int jokers, struct eng_arrange_suit suit,
                           uint8_t *own);
static inline const uint8_t *arr_runs_row(struct eng_arrange_memo *memo, int jokers,
                                          struct eng_arrange_suit suit, uint8_t *own)
{
    if (suit.twice == 0)
        return eng_arrange_plain[suit.once >> 1].of[ARR_ANY];
    eng_arrange_twins_row(memo, jokers, suit, own);
    return own;
}

/* The row for every need; in a->own[suit] if no table has it. */
const struct eng_arrange_row *eng_arrange_row_of(struct eng_arrange *a, int suit,
                                                 struct eng_arrange_suit cards);

/* The place to be decided next: that of the lowest twin or, without twins, of the lowest card. */
static inline int arr_next_place(struct eng_arrange_suit suit)
{
    return __builtin_ctz(suit.twice != 0 ? suit.twice : suit.once);
}
/* Lists the sequences through that place with at most this many jokers. */
int eng_arrange_runs(struct eng_arrange_suit suit, int jokers, struct eng_arrange_run runs[ARR_RUNS_MAX]);
/* Lists the pure sequences of three to five cards; longer ones can be split. wild: places of wild cards. */
int eng_arrange_windows(unsigned once, unsigned wild, struct eng_arrange_run windows[ARR_WINDOWS_MAX]);

/* Lists the sets of the cards in the search and their potential, without a card that was set aside. */
void eng_arrange_lay_out_sets(struct eng_arrange_search *s);

/* Fills rows and sums for the cards that a choice of sets leaves. */
void eng_arrange_rows(struct eng_arrange *a, const struct eng_arrange_cards *cards);
/* Points that sequences leave over in all suits, for each number of jokers up to `jokers`.
 * eng_arrange_any_left: without any need; eng_arrange_left: with a need, and returns the last value. */
void eng_arrange_any_left(struct eng_arrange *a, const struct eng_arrange_cards *cards, int jokers,
                          uint8_t left[ARR_LANES]);
int eng_arrange_left(struct eng_arrange *a, const struct eng_arrange_cards *cards, int jokers,
                     enum eng_arrange_need need, uint8_t left[ARR_LANES]);

/* Writes groups, lens, and cards of the best choice found. aside: the kind of card that was set aside, or
 * ENG_NO_CARD; one such card becomes `finish`. */
void eng_arrange_write(struct eng_arrange_search *s, const uint8_t *cards, int n, uint8_t aside,
                       struct eng_arrangement *out);

#endif
