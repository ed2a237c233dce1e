/* Whole sessions of bots against bots, counted. Behind `rummyd simulate`, the benchmark of the bots
 * and their tests. Deterministic: equal settings, equal games. One thread. */
#ifndef RUMMYD_SERVER_CLI_SIMULATE_H
#define RUMMYD_SERVER_CLI_SIMULATE_H

#include "engine/bots/master.h"
#include "engine/eng.h"
#include "engine/record/record.h"
#include "tables/throws.h"

enum { SIM_TURNS_MAX = 1000, SIM_HANDS_MAX = 100, SIM_MOVES_MAX = 200000, SIM_LEVELS = ENG_BOT_LEVELS };

/* What the seats of one strength did. */
struct srv_simulate_level {
    uint64_t seats;         /* that many times it sat down for a game */
    uint64_t alone, shared; /* games won by it alone, together with others */
    double won;             /* games won: a shared one is a share */
    uint64_t hands;         /* hands won */
    uint64_t chances,
        taken; /* draws behind a throw; throws it took (tables/throws.h). Stalled hands are left out. */
    /* Sums over hands, of the squares of both and of their product. */
    uint64_t chances_squared, taken_squared, chances_taken;
    int64_t points; /* totals at the end */
};

struct srv_simulate {
    /* Settings. A game is a whole session. Seats rotate from game to game, so that each strength sits in
     * each. */
    const struct eng_params *params;
    int players;
    enum eng_bot_level levels[ENG_SEAT_MAX];
    uint64_t games, seed;
    bool mirrored; /* each deal is played once with every rotation of the seats, so that luck is shared */
    /* Both or none: a clock in nanoseconds, and who is told how long each move took. */
    int64_t (*now_ns)(void);
    void (*move_took)(int64_t ns);
    /* Or none: who is told before each move how the game stands, with all that is hidden. */
    void (*to_move)(const struct srv_simulate *sim, const struct eng_game *game);
    /* All or none: memory for the moves of a hand, and who is told when one is over. before: the game that it
     * was dealt to; its key is of srv_simulate_seed, with the game's number as the table. */
    struct eng_move *played;
    uint32_t played_n, played_max;
    void (*hand_over)(struct srv_simulate *sim, uint64_t number, const struct eng_game *before,
                      const struct eng_game *after);
    void *arg;                  /* of that one's */
    struct eng_between between; /* what was done before the hand that is over */
    struct tab_throws throws;   /* of the hand that is played */
    uint8_t ending;             /* of the hand that ended last */
    struct eng_master master;   /* what masters think with */
    /* Counted. A hand's length is the completed turns of the seat that had most. */
    uint64_t lengths[SIM_TURNS_MAX + 1];
    uint64_t hands[SIM_HANDS_MAX + 1]; /* games by their number of hands */
    uint64_t endings[ENG_ENDINGS_N];   /* hands, by enum eng_ending */
    uint64_t undecided;                /* games without a winner */
    /* Mirrored: deals that were played in all rotations; of the strongest, what it won in the games of one,
     * summed and squared; deals of which it won all games, or none. */
    uint64_t deals, deals_swept, deals_lost;
    double deal_won, deals_won, deals_squared;
    uint64_t hands_n, seats, opened, melds, lay_offs, swaps, burials, rummies, moves;
    struct srv_simulate_level of[SIM_LEVELS];
};

/* Plays sim->games games; the counters start as the caller left them. */
void srv_simulate_run(struct srv_simulate *sim);
/* The server's seed of a hand, numbers of games and hands from 0. */
void srv_simulate_seed(const struct srv_simulate *sim, uint64_t number, uint64_t hand, uint8_t seed[32]);
/* The turns, or hands, that `share` (0..1) of the hands, or games, do not exceed. */
int srv_simulate_length_at(const struct srv_simulate *sim, double share);
int srv_simulate_hands_at(const struct srv_simulate *sim, double share);
/* The standard error of the share of throws that were taken. The draws of a hand are alike, so it is made of
 * whole hands. */
double srv_simulate_taken_error(const struct srv_simulate_level *of);
/* The strongest strength that sits in a seat. */
enum eng_bot_level srv_simulate_strongest(const struct srv_simulate *sim);
/* Its share of wins of a seat with the 95 % interval: Wilson's, or from the spread between mirrored deals. */
double srv_simulate_strongest_wins(const struct srv_simulate *sim, double *low, double *high);
/* Wilson's 95 % interval of a share. */
void srv_simulate_interval(double hits, uint64_t of, double *low, double *high);

#endif
