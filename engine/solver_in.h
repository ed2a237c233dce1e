/* Shared by the three files of the solver: the hand laid out in suits, the table of the best runs
 * of each suit, the search through the sets. */
#ifndef RUMMYD_ENGINE_SOLVER_IN_H
#define RUMMYD_ENGINE_SOLVER_IN_H

#include <string.h>

#include "engine/solver.h"

enum {
    SOLVER_SLOTS_MAX = 15,
    /* Weight of the card that must go out: no sum of others reaches it. */
    SOLVER_BONUS = ENG_HAND_MAX * SOLVER_WEIGHT_MAX + 1,
    SOLVER_ROW_MAX = SOLVER_JOKERS_MAX + 1,
    SOLVER_LANES = 8, /* rows are read at full length, whatever lies before and behind */
    /* 2^n rows of (jokers + 1) for n naturals of one suit, n + jokers <= 15; other suits a few more. */
    SOLVER_TABLE_MAX = (1 << SOLVER_SLOTS_MAX) + 4 * SOLVER_ROW_MAX + 2 * SOLVER_LANES,
    SOLVER_NEVER = -30000, /* no sum reaches this, and no sum added to it reaches 0 */
};

/* Sums by numbers of jokers, in a register. What lies beyond the jokers of the hand means nothing. */
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

/* What a row brings when so many jokers stand elsewhere: with fewer there is nothing. */
static inline solver_lanes solver_lanes_after(const int16_t *row, int jokers)
{
    static const int16_t never[2 * SOLVER_LANES] = {SOLVER_NEVER, SOLVER_NEVER, SOLVER_NEVER, SOLVER_NEVER,
                                                    SOLVER_NEVER, SOLVER_NEVER, SOLVER_NEVER, SOLVER_NEVER,
                                                    INT16_MAX,    INT16_MAX,    INT16_MAX,    INT16_MAX,
                                                    INT16_MAX,    INT16_MAX,    INT16_MAX,    INT16_MAX};
    solver_lanes lanes = solver_lanes_at(row - jokers), most = solver_lanes_at(never + SOLVER_LANES - jokers);

    for (int j = 0; j < SOLVER_LANES; j++)
        lanes[j] = lanes[j] < most[j] ? lanes[j] : most[j];
    return lanes;
}

/* The cards of one suit that some run could use, ascending: a slot for each physical card. */
struct solver_suit {
    uint8_t n;
    uint8_t suit;
    uint16_t at[SOLVER_PLACES]; /* slots at each place; aces stand at places 0 and 13 */
    uint16_t skips;             /* places where a joker may have to stand although the natural is at hand */
    int16_t weight[SOLVER_SLOTS_MAX];
    uint8_t rank[SOLVER_SLOTS_MAX];
    int16_t *rows; /* rows[mask * row_n + j]: best runs of the slots in mask with at most j jokers; -1: not
                      yet known */
};

struct solver_pick {
    uint8_t rank, suits, jokers; /* a set: bit mask of its suits */
};

struct solver {
    const struct solver_rules *rules;
    const struct solver_goal *goal;
    uint8_t jokers, row_n, run_jokers_max;
    bool may_skip;                           /* a joker may stand where the natural card is at hand, too */
    uint16_t worth_below[SOLVER_PLACES + 1]; /* sum of run_worth of the places before */
    struct solver_suit suits[4];
    /* Sets */
    uint8_t held[13], held_twice[13]; /* suits of each rank, as bit masks */
    uint8_t set_jokers_max, set_ranks_n;
    uint8_t set_ranks[13];    /* best first */
    int16_t naturals[13][16]; /* by number of the rank and suits: what they bring in a set */
    /* From each rank on, with so many jokers: the most of all sets. */
    int16_t potential[13 + 1][SOLVER_ROW_MAX];
    int32_t best;
    uint64_t best_slots; /* left to runs; 16 bits a suit */
    uint8_t best_jokers; /* left to runs */
    uint8_t best_picks_n, picks_n;
    struct solver_pick best_picks[SOLVER_GROUPS_MAX], picks[SOLVER_GROUPS_MAX + 1];
    int16_t table[SOLVER_TABLE_MAX];
};

/* A run found while walking back through the table. */
struct solver_run {
    uint16_t slots;
    uint8_t low, n, jokers;
    bool ace_high; /* where a single ace stands */
};

/* Finds the best of the cards: fills best… and the rows needed for it. rules and goal are set. */
void solver_search(struct solver *s, const uint8_t *cards, int n);
/* The best runs of both together; b may be read beyond its ends. */
solver_lanes solver_share_jokers(int jokers, const int16_t a[SOLVER_LANES], const int16_t *b);
/* The row of `mask`: best sums with at most 0..jokers jokers. */
const int16_t *solver_runs_row(struct solver *s, struct solver_suit *u, unsigned mask);
/* The runs behind solver_runs_row(mask)[jokers]; returns how many, SOLVER_GROUPS_MAX at most. */
int solver_runs_trace(struct solver *s, struct solver_suit *u, unsigned mask, int jokers,
                      struct solver_run runs[SOLVER_GROUPS_MAX]);

#endif
