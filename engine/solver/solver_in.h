/* Shared by the three files of the solver: the hand laid out in suits, the table of the best runs of each
 * suit, the search through the sets. */
#ifndef RUMMYD_ENGINE_SOLVER_SOLVER_IN_H
#define RUMMYD_ENGINE_SOLVER_SOLVER_IN_H

#include <string.h>

#include "engine/solver/solver.h"

enum {
    SOLVER_SLOTS_MAX = 15,
    /* Weight of the card that must go out: no sum of others reaches it. */
    SOLVER_BONUS = ENG_HAND_MAX * SOLVER_WEIGHT_MAX + 1,
    SOLVER_ROW_MAX = SOLVER_JOKERS_MAX + 1,
    SOLVER_LANES = 8, /* rows are read and written at full length, whatever follows in memory */
    /* 2^n rows of (jokers + 1) for n naturals of one suit, n + jokers <= 15; other suits slightly more. */
    SOLVER_TABLE_MAX = (1 << SOLVER_SLOTS_MAX) + 4 * SOLVER_ROW_MAX + SOLVER_LANES,
    SOLVER_NEVER = -30000, /* no sum reaches this, and no sum added to it reaches 0 */
    SOLVER_LESS = 26000,   /* than any sum; two of them, less this, fit in 16 bits */
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

/* A row's sums if one more joker is used elsewhere: with fewer there is nothing. */
static inline solver_lanes solver_lanes_slid(solver_lanes lanes)
{
    const solver_lanes none = {0}, never = {SOLVER_NEVER};
    return __builtin_shufflevector(none, lanes, 7, 8, 9, 10, 11, 12, 13, 14) | never;
}

/* The cards of one suit that some run could use, ascending: one slot per physical card. */
struct eng_solver_suit {
    uint8_t n;
    uint8_t suit;
    uint16_t at[SOLVER_PLACES];     /* slots at each place; aces are at places 0 and 13 */
    uint16_t skips;                 /* places where a joker may be needed although the natural is available */
    uint16_t twins;                 /* slots whose twin is the next one */
    int16_t gain[SOLVER_SLOTS_MAX]; /* of the card over a joker at its place */
    uint8_t place[SOLVER_SLOTS_MAX]; /* ascending; for an ace 13 if it can be there */
    int16_t *rows; /* rows[mask * row_n + j]: best runs of the slots in mask with at most j jokers; -1: not
                      known yet */
};

/* A rank that can have sets. Suits are bit masks. */
struct eng_solver_rank {
    int16_t naturals[16]; /* by suits: their sum in a set */
    uint64_t slots;       /* of the rank's cards, 16 bits per suit */
    int16_t most;         /* sum of all its sets without jokers */
    uint8_t rank;
    uint8_t held, twice;
    uint8_t set_only; /* suits of cards that no run can use */
};

struct eng_solver_pick {
    uint8_t rank, suits, jokers; /* a set: bit mask of its suits */
};

/* Where may a run need a joker in the place of an available natural card? */
enum eng_solver_skips { SOLVER_SKIPS_NOWHERE, SOLVER_SKIPS_NEAR_TWINS, SOLVER_SKIPS_ANYWHERE };

struct eng_solver {
    const struct eng_solver_rules *rules;
    const struct eng_solver_goal *goal;
    uint8_t jokers, row_n, run_jokers_max;
    uint8_t skips;                     /* enum eng_solver_skips */
    bool ace_twofold;                  /* at either end of a run */
    uint8_t run_max, end_max;          /* from rules and places; jokers at one end of a run */
    uint8_t span_max;                  /* from the first natural card of a run to the last one */
    int32_t joined[SOLVER_PLACES + 1]; /* sum of jokers at all places before */
    int8_t rises_from;                 /* from this place on the sums never decrease */
    solver_lanes lanes_used;           /* all bits of the meaningful lanes */
    struct eng_solver_suit suits[4];
    int16_t joker_most; /* maximum of one joker */
    int32_t reach;      /* sum of everything that a set or a run could use, each where it is worth most */
    /* Sets */
    uint8_t set_jokers_max, set_ranks_n;
    struct eng_solver_rank set_ranks[13]; /* best first */
    /* From each rank on, with 7, 6, 5.. jokers: the maximum of all sets, less SOLVER_LESS. */
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

/* Finds the best of the cards: fills best… and the rows needed for it. rules and goal must be set. */
void eng_solver_search(struct eng_solver *s, const uint8_t *cards, int n);

/* The best runs of both together. sum[j] = greatest a[i] + b[j - i]. */
static inline solver_lanes solver_share_jokers(int jokers, solver_lanes a, solver_lanes b)
{
    solver_lanes sum = b + a[0];

    for (int i = 1; i <= jokers; i++) {
        b = solver_lanes_slid(b);
        sum = solver_lanes_most(sum, b + a[i]);
    }
    return sum;
}

/* Fills the row of `mask` and returns it: best sums with at most 0..jokers jokers. */
const int16_t *eng_solver_runs_fill(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask);
/* The same, filled if it is not known yet. */
static inline const int16_t *solver_runs_row(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask)
{
    const int16_t *row = u->rows + mask * s->row_n;
    return row[0] >= 0 ? row : eng_solver_runs_fill(s, u, mask);
}

/* The runs behind solver_runs_row(mask)[jokers]; returns how many, at most SOLVER_GROUPS_MAX. */
int eng_solver_runs_trace(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask, int jokers,
                          struct eng_solver_run runs[SOLVER_GROUPS_MAX]);

#endif
