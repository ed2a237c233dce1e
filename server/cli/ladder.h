/* The strengths of bots against each other, pair by pair, and what that makes in Elo. Behind
 * `rummyd simulate --ladder`. One thread. */
#ifndef RUMMYD_SERVER_CLI_LADDER_H
#define RUMMYD_SERVER_CLI_LADDER_H

#include "server/cli/simulate.h"

enum {
    LADDER_FITS_MAX = 1000, /* rounds of fitting; it stops before when nothing moves any more */
    LADDER_BASE = 1000,     /* Elo of the weakest */
};

struct srv_ladder {
    /* Shares of wins of the row against the column, by enum eng_bot_level, and their 95 % intervals. */
    double share[SIM_LEVELS][SIM_LEVELS], low[SIM_LEVELS][SIM_LEVELS], high[SIM_LEVELS][SIM_LEVELS];
    double elo[SIM_LEVELS];
};

/* Every pair plays so many games of two with mirrored deals (an even number). sim: memory, and the row to
 * play. */
void srv_ladder_play(struct srv_ladder *ladder, struct srv_simulate *sim, const struct eng_params *params,
                     uint64_t games, uint64_t seed);
/* elo from share. games: of each pair; all won and none won count as half a game from it. */
void srv_ladder_fit(struct srv_ladder *ladder, uint64_t games);

#endif
