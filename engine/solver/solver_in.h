/* Shared by the three files of the solver: the hand by suits, the table of the best runs of each suit, and
 * the search through the sets. */
#ifndef RUMMYD_ENGINE_SOLVER_SOLVER_IN_H
#define RUMMYD_ENGINE_SOLVER_SOLVER_IN_H

#include <string.h>

#include "engine/solver/solver.h"

enum {
    SOLVER_SLOTS_MAX = 15,
    /* Extra weight of a card that must go out; it exceeds every sum of other cards. */
    SOLVER_BONUS = ENG_HAND_MAX * SOLVER_WEIGHT_MAX + 1,
    SOLVER_ROW_MAX = SOLVER_JOKERS_MAX + 1,
    SOLVER_LANES = 8, /* rows are read and written at full length, including what follows in memory */
    /* 2^n rows of (jokers + 1) sums for n naturals of one suit, with n + jokers <= 15; other suits need
     * slightly more. */
    SOLVER_TABLE_MAX = (1 << SOLVER_SLOTS_MAX) + 4 * SOLVER_ROW_MAX + SOLVER_LANES,
    SOLVER_NEVER = -30000, /* less than every sum; it stays below 0 after adding any sum */
    SOLVER_LESS = 26000,   /* more than any sum; two sums less this fit in 16 bits */
};

/* Sums by number of jokers, in a register. Values beyond the jokers of the hand are meaningless. */
typedef int16_t solver_lanes __attribute__((vector_size(2 * SOLVER_LANES)));

static inline solver_lanes solver_lanes_at(const int16_t *row)
{
    solver_lanes lanes;

    memcpy(&lanes, row, sizeof lanes);
    return lanes;
}

static inline solver_lanes solver_lanes_most(solver_lanes a, solver_lanes b)
{
    for (int j = 0; j < SOLVER_LANES; j++)
        a[j] = a[j] > b[j] ? a[j] : b[j];
    return a;
}

static inline int solver_lanes_greatest(solver_lanes a)
{
    a = solver_lanes_most(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = solver_lanes_most(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 4, 5, 6, 7));
    return a[0] > a[1] ? a[0] : a[1];
}

/* A row's sums if one more joker is used elsewhere; without any joker, that is impossible. */
static inline solver_lanes solver_lanes_slid(solver_lanes lanes)
{
    const solver_lanes none = {0}, never = {SOLVER_NEVER};
    return __builtin_shufflevector(none, lanes, 7, 8, 9, 10, 11, 12, 13, 14) | never;
}

/* The cards of one suit that any run could use, in ascending order, with one slot per physical card. */
struct eng_solver_suit {
    uint8_t n;
    uint8_t suit;
    uint16_t at[SOLVER_PLACES];     /* slots at each place; aces are at places 0 and 13 */
    uint16_t skips;                 /* places where a joker may be needed although the natural is available */
    uint16_t twins;                 /* slots whose twin is the next slot */
    int16_t gain[SOLVER_SLOTS_MAX]; /* weight of the card minus that of a joker */
    uint8_t place[SOLVER_SLOTS_MAX]; /* ascending; 13 for an ace, if allowed there */
    /* rows[mask * row_n + j]: best runs of the slots in mask with at most j jokers; -1: unknown */
    int16_t *rows;
};

/* A rank that can have sets. Suits are stored as bit masks. */
struct eng_solver_rank {
    int16_t naturals[16]; /* indexed by suits: their sum in a set */
    uint64_t slots;       /* slots of the rank's cards, 16 bits per suit */
    int16_t most;         /* sum of all its sets without jokers */
    uint8_t rank;
    uint8_t held, twice;
    uint8_t set_only; /* suits of cards that no run can use */
};

struct eng_solver_pick {
    uint8_t rank, suits, jokers; /* a set; suits is a bit mask */
};

/* Where a run may need a joker although the natural card for the place is available. */
enum eng_solver_skips { SOLVER_SKIPS_NOWHERE, SOLVER_SKIPS_NEAR_TWINS, SOLVER_SKIPS_ANYWHERE };

struct eng_solver {
    const struct eng_solver_rules *rules;
    const struct eng_solver_goal *goal;
    uint8_t jokers, row_n, run_jokers_max;
    uint8_t skips;                     /* enum eng_solver_skips */
    bool ace_twofold;                  /* the ace may be at either end of a run */
    uint8_t run_max, end_max;          /* limited by rules and places; maximum of jokers at one end */
    uint8_t span_max;                  /* maximum span from the first to the last natural card of a run */
    int32_t joined[SOLVER_PLACES + 1]; /* sum of jokers at all lower places */
    int8_t rises_from;                 /* from this place on, the worth of places never decreases */
    solver_lanes lanes_used;           /* all bits of the meaningful lanes */
    struct eng_solver_suit suits[4];
    int16_t joker_most; /* maximum weight of one joker */
    int32_t reach;      /* sum of all cards that a set or a run could use, each where it is worth most */
    /* Sets */
    uint8_t set_jokers_max, set_ranks_n;
    struct eng_solver_rank set_ranks[13]; /* best first */
    /* From each rank on, the maximum of all sets with 7, 6, 5 … jokers, minus SOLVER_LESS. */
    int16_t potential[13 + 1][2 * SOLVER_LANES];
    int32_t best;
    uint64_t best_slots; /* left for runs; 16 bits per suit */
    uint8_t best_jokers; /* left for runs */
    uint8_t best_picks_n, picks_n;
    struct eng_solver_pick best_picks[SOLVER_GROUPS_MAX], picks[SOLVER_GROUPS_MAX + 1];
    int16_t table[SOLVER_TABLE_MAX];
};

/* A run found while tracing back through the table. */
struct eng_solver_run {
    uint16_t slots;
    uint8_t low, n, jokers;
    bool ace_low, ace_high; /* which of its ends is a natural ace */
};

/* Finds the best grouping of the cards: fills best… and the rows needed for it. rules and goal must be
 * set. */
void eng_solver_search(struct eng_solver *s, const uint8_t *cards, int n);

/* The best runs of two rows together: sum[j] = greatest a[i] + b[j - i]. */
static inline solver_lanes solver_share_jokers(int jokers, solver_lanes a, solver_lanes b)
{
    solver_lanes sum = b + a[0];

    for (int i = 1; i <= jokers; i++) {
        b = solver_lanes_slid(b);
        sum = solver_lanes_most(sum, b + a[i]);
    }
    return sum;
}

/* Fills and returns the row of `mask`, which has the best sums with at most 0..jokers jokers. */
const int16_t *eng_solver_runs_fill(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask);
/* Returns the row of `mask`; fills it first if necessary. */
static inline const int16_t *solver_runs_row(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask)
{
    const int16_t *row = u->rows + mask * s->row_n;
    return row[0] >= 0 ? row : eng_solver_runs_fill(s, u, mask);
}

/* Finds the runs that make up solver_runs_row(mask)[jokers]; returns how many, at most
 * SOLVER_GROUPS_MAX. */
int eng_solver_runs_trace(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask, int jokers,
                          struct eng_solver_run runs[SOLVER_GROUPS_MAX]);

#endif
