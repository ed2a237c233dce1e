/* Pairwise results of the bot levels, and the Elo ratings they imply. Used by `rummyd simulate --ladder`. One
 * thread. */
#ifndef RUMMYD_SERVER_CLI_LADDER_H
#define RUMMYD_SERVER_CLI_LADDER_H

#include "server/cli/simulate.h"

enum {
    LADDER_FITS_MAX = 1000, /* iterations of the fit; it stops earlier once it has converged */
    LADDER_BASE = 1000,     /* Elo of the weakest level */
};

struct srv_ladder {
    /* Fraction of wins of the row against the column, by enum eng_bot_level, with 95 % intervals. */
    double share[SIM_LEVELS][SIM_LEVELS], low[SIM_LEVELS][SIM_LEVELS], high[SIM_LEVELS][SIM_LEVELS];
    double elo[SIM_LEVELS];
};

/* Every pair plays this many two-player games with mirrored deals (an even number). sim: memory, and the
 * variant to play. */
void srv_ladder_play(struct srv_ladder *ladder, struct srv_simulate *sim, const struct eng_params *params,
                     uint64_t games, uint64_t seed);
/* Computes elo from share. games: per pair; a pair that won all or none counts as half a game away from
 * that. */
void srv_ladder_fit(struct srv_ladder *ladder, uint64_t games);

#endif
