/* Pairwise results of the bot levels, and the Elo ratings they imply. Used by `rummyd simulate --ladder`. One
 * thread. */
#ifndef RUMMYD_SERVER_CLI_LADDER_H
#define RUMMYD_SERVER_CLI_LADDER_H

#include "server/cli/simulate.h"

enum {
    LADDER_FITS_MAX = 1000, /* maximum iterations of the fit, which stops once it converges */
    LADDER_BASE = 1000,     /* Elo of the weakest level */
};

struct srv_ladder {
    /* Fraction of games that the row's level wins against the column's (enum eng_bot_level), with 95 %
     * intervals. */
    double share[SIM_LEVELS][SIM_LEVELS], low[SIM_LEVELS][SIM_LEVELS], high[SIM_LEVELS][SIM_LEVELS];
    double elo[SIM_LEVELS];
};

/* Every pair plays `games` two-player games with mirrored deals; `games` is even. sim provides the
 * memory. */
void srv_ladder_play(struct srv_ladder *ladder, struct srv_simulate *sim, const struct eng_params *params,
                     uint64_t games, uint64_t seed);
/* Computes elo from share. games: per pair. If one level won every game of a pair, half a game is counted
 * for the other, so that the fit converges. */
void srv_ladder_fit(struct srv_ladder *ladder, uint64_t games);

#endif
