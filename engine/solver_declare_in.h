/* Shared by the files of the declare family's solver: the hand laid out in suits and the table of what
 * sequences can do for each part of a suit. Numbers are the points left over, so less is better. */
#ifndef RUMMYD_ENGINE_SOLVER_DECLARE_IN_H
#define RUMMYD_ENGINE_SOLVER_DECLARE_IN_H

#include "engine/solver_declare.h"

enum {
    ARR_NEVER = 200, /* more than any hand has: cannot be */
    ARR_ROW_MAX = ENG_HAND_MAX + 1,
    ARR_LANES = ARR_ROW_MAX, /* rows are read at full length, whatever lies before and behind */
    /* 2^n rows of 2 * (jokers + 1) for n naturals of one suit, n + jokers <= 15; other suits a few more. */
    ARR_TABLE_MAX = (2 << ENG_HAND_MAX) + 8 * ARR_ROW_MAX + 2 * ARR_LANES,
    ARR_WINDOWS_MAX = 33, /* three lengths at each place */
    ARR_LAST_PLACE = ENG_PLACE_ACE_HIGH,
};

/* What the sequences of some cards must hold. */
enum arr_need { ARR_ANY, ARR_SEQUENCE, ARR_PURE, ARR_BOTH, ARR_NEEDS };

/* Natural cards without a joker, three to five in a row: a longer pure sequence can be cut. */
struct arr_window {
    uint16_t slots;
    uint8_t low, n;
    uint8_t jokers; /* 1: a wild card stands in its natural place */
};

/* The cards of one suit that are not wild, ascending, a slot for each; aces are the last ones. */
struct arr_suit {
    uint8_t n, suit;
    uint8_t place[ENG_HAND_MAX]; /* 1 two .. 13 ace */
    uint8_t weight[ENG_HAND_MAX];
    uint16_t at[ARR_LAST_PLACE + 1]; /* slots at each place; aces at place 0, too */
    uint8_t windows_n;
    struct arr_window windows[ARR_WINDOWS_MAX];
    uint8_t *rows; /* of each mask of slots: any[jokers + 1], sequence[jokers + 1]; 255 not yet known */
};

/* Left over of a suit or of several, by need and by the number of jokers they may use. */
struct arr_row {
    bool pure; /* false: never PURE nor BOTH */
    uint8_t of[ARR_NEEDS][ARR_ROW_MAX];
};

/* A sequence begins in the lowest slot of a mask; or in an ace below it. */
struct arr_run {
    uint16_t slots;
    uint8_t jokers;
    uint8_t low, n; /* without jokers that only make it long enough */
};

struct arr {
    const struct eng_wild *wild;
    uint64_t types; /* that are wild */
    uint8_t jokers; /* printed and wild ones */
    uint8_t row_n;  /* jokers + 1 */
    struct arr_suit suits[ENG_SUITS];
    uint8_t held[ENG_RANKS], twice[ENG_RANKS]; /* suits of each rank that is not wild */
    /* Of the last choice of sets that was looked at (arr_rows): each suit, and the suits up to each. */
    bool rows_known;
    uint64_t rows_slots;
    struct arr_row rows[ENG_SUITS], sums[ENG_SUITS - 1];
    uint8_t table[ARR_TABLE_MAX];
};

enum {
    ARR_SETS_MAX = 128, /* 15 cards: two ranks with nearly all their cards make 88 */
    ARR_PICKS_MAX = 5,  /* three cards at least in each */
    ARR_PARTS = 9,
};

/* One or two sets of a rank: cards of the suits of `first`, and once more of `second`. */
struct arr_sets {
    uint64_t slots; /* what they take */
    uint8_t rank, first, second, jokers;
    uint8_t points;
};

struct arr_search {
    struct arr a;
    uint64_t slots; /* of the hand, or of all its cards but one */
    uint8_t jokers;
    enum arr_need need;
    int best; /* points left over, and the choice behind it */
    uint64_t best_slots;
    uint8_t best_jokers, best_picks_n, best_picks[ARR_PICKS_MAX];
    uint8_t picks[ARR_PICKS_MAX];
    uint8_t ranks_n, sets_n;
    uint8_t ranks[ENG_RANKS];    /* that can have sets, best first */
    uint8_t next[ENG_RANKS + 1]; /* the first in sets[] of each */
    /* By jokers and rank: the most that sets of this rank and the later ones bring. */
    uint8_t potential[ARR_ROW_MAX][ENG_RANKS + 1];
    struct arr_sets sets[ARR_SETS_MAX];
};

/* What two parts must hold so that both together hold what is needed. */
struct arr_parts {
    uint8_t need, one, other;
};
extern const struct arr_parts arr_parts[ARR_PARTS];

static inline unsigned arr_slots(uint64_t slots, int suit)
{
    return (unsigned)(slots >> (16 * suit)) & 0xffff;
}

static inline int arr_place_of(int rank)
{
    return rank == ENG_RANK_ACE ? ENG_PLACE_ACE_HIGH : rank;
}

/* Lays the cards out; *slots: all of them, 16 bits a suit. */
void arr_lay_out(struct arr *a, const struct eng_wild *wild, const uint8_t *cards, int n, uint64_t *slots);
/* any[] and, row_n further, sequence[] of a part of a suit; arr_fill_row when they are not yet known. */
const uint8_t *arr_fill_row(struct arr *a, struct arr_suit *u, unsigned mask);
static inline const uint8_t *arr_runs_row(struct arr *a, struct arr_suit *u, unsigned mask)
{
    const uint8_t *row = u->rows + (size_t)(2 * a->row_n) * mask;
    return row[0] != 255 ? row : arr_fill_row(a, u, mask);
}

/* The sequences that can begin with the lowest slot of the mask with at most so many jokers. */
enum { ARR_RUNS_MAX = 2 * ENG_RANKS };
int arr_runs(const struct arr_suit *u, unsigned mask, int jokers, struct arr_run runs[ARR_RUNS_MAX]);

/* The sets of the cards that are in the search, and their potential; fewer when a card was put aside. */
void arr_lay_out_sets(struct arr_search *s);

/* Fills rows and sums for what a choice of sets leaves. */
void arr_rows(struct arr *a, uint64_t slots);

/* Writes groups, lens and cards of the best choice that was found. aside: a card of the kind that was put
 * aside for it becomes `finish`, or ENG_NO_CARD. */
void arr_write(struct arr_search *s, const uint8_t *cards, int n, uint8_t aside, struct arrangement *out);

#endif
