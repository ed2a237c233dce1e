/* Plays whole sessions of bots against bots and counts results. Used by `rummyd simulate`, the bot benchmark,
 * and their tests. Deterministic: the same settings give the same games. One thread. */
#ifndef RUMMYD_SERVER_CLI_SIMULATE_H
#define RUMMYD_SERVER_CLI_SIMULATE_H

#include "engine/bots/master.h"
#include "engine/eng.h"
#include "engine/record/record.h"
#include "tables/throws.h"

enum { SIM_TURNS_MAX = 1000, SIM_HANDS_MAX = 100, SIM_MOVES_MAX = 200000, SIM_LEVELS = ENG_BOT_LEVELS };

/* Results of all seats of one level. */
struct srv_simulate_level {
    uint64_t seats;         /* seats of this level, summed over all games */
    uint64_t alone, shared; /* games won alone, and tied with others */
    double won;             /* games won; a tie among n counts 1/n */
    uint64_t hands;         /* hands won */
    uint64_t chances,
        taken; /* draws after a discard; discards taken (tables/throws.h). Excludes stalled hands. */
    /* Sums over hands: squares of both, and their product. */
    uint64_t chances_squared, taken_squared, chances_taken;
    int64_t points; /* total points at the end of games */
};

struct srv_simulate {
    /* Settings. A game is a whole session. Seats rotate from game to game, so that each level plays in each
     * seat. */
    const struct eng_params *params;
    int players;
    enum eng_bot_level levels[ENG_SEAT_MAX];
    uint64_t games, seed;
    bool mirrored; /* each deal is played once in every seat rotation, to even out luck */
    /* Both or neither: a clock in nanoseconds, and a callback with the duration of each move. */
    int64_t (*now_ns)(void);
    void (*move_took)(int64_t ns);
    /* Optional: called before each move with the full game, including hidden cards. */
    void (*to_move)(const struct srv_simulate *sim, const struct eng_game *game);
    /* All or none: memory for the moves of a hand, and a callback for finished hands. before: the game as
     * dealt; its key derives from srv_simulate_seed, with the game's number as the table number. */
    struct eng_move *played;
    uint32_t played_n, played_max;
    void (*hand_over)(struct srv_simulate *sim, uint64_t number, const struct eng_game *before,
                      const struct eng_game *after);
    void *arg;                  /* for the callback */
    struct eng_between between; /* actions before the finished hand */
    struct tab_throws throws;   /* of the current hand */
    uint8_t ending;             /* how the last hand ended: enum eng_ending */
    struct eng_master master;   /* search memory for masters */
    /* Counters. A hand's length is the number of turns completed by the seat with the most. */
    uint64_t lengths[SIM_TURNS_MAX + 1];
    uint64_t hands[SIM_HANDS_MAX + 1]; /* games by number of hands */
    uint64_t endings[ENG_ENDINGS_N];   /* hands, by enum eng_ending */
    uint64_t undecided;                /* games without a winner */
    /* With `mirrored`: the number of deals played in all rotations. For the strongest level: its wins in
     * the current deal, the sum of wins per deal and of their squares, and the number of deals in which it
     * won every game or none. */
    uint64_t deals, deals_swept, deals_lost;
    double deal_won, deals_won, deals_squared;
    uint64_t hands_n, seats, opened, melds, lay_offs, swaps, burials, rummies, moves;
    struct srv_simulate_level of[SIM_LEVELS];
};

/* Plays sim->games games; the counters continue from their current values. */
void srv_simulate_run(struct srv_simulate *sim);
/* The server seed of a hand; games and hands are numbered from 0. */
void srv_simulate_seed(const struct srv_simulate *sim, uint64_t number, uint64_t hand, uint8_t seed[32]);
/* The quantile `share` (0..1) of turns per hand, and of hands per game. */
int srv_simulate_length_at(const struct srv_simulate *sim, double share);
int srv_simulate_hands_at(const struct srv_simulate *sim, double share);
/* The standard error of the fraction of discards taken. Draws within a hand are correlated, so whole hands
 * are the sample. */
double srv_simulate_taken_error(const struct srv_simulate_level *of);
/* The strongest level at the table. */
enum eng_bot_level srv_simulate_strongest(const struct srv_simulate *sim);
/* The fraction of games won by a seat of the strongest level, with its 95 % interval: the Wilson interval,
 * or one computed from the variance between mirrored deals. */
double srv_simulate_strongest_wins(const struct srv_simulate *sim, double *low, double *high);
/* The 95 % Wilson interval of a proportion. */
void srv_simulate_interval(double hits, uint64_t of, double *low, double *high);

#endif
