/* See ladder.h. Computes Elo from the Bradley-Terry model: the strengths that maximize the likelihood of
 * the results. */
#include "server/cli/ladder.h"

#include <math.h>

#include "base/bug.h"

void srv_ladder_fit(struct srv_ladder *ladder, uint64_t games)
{
    const double least = 0.5 / (double)games, still = 1e-9;
    double strength[SIM_LEVELS];

    ASSERT(games > 0);
    for (int a = ENG_BOT_EASY; a < SIM_LEVELS; a++)
        strength[a] = 1;
    for (int round = 0; round < LADDER_FITS_MAX; round++) {
        double moved = 0;
        for (int a = ENG_BOT_EASY; a < SIM_LEVELS; a++) {
            double won = 0, met = 0;
            for (int b = ENG_BOT_EASY; b < SIM_LEVELS; b++) {
                if (a == b)
                    continue;
                won += fmin(fmax(ladder->share[a][b], least), 1 - least);
                met += 1 / (strength[a] + strength[b]);
            }
            moved = fmax(moved, fabs(won / met / strength[a] - 1));
            strength[a] = won / met;
        }
        if (moved < still)
            break;
    }
    for (int a = ENG_BOT_EASY; a < SIM_LEVELS; a++)
        ladder->elo[a] = (double)LADDER_BASE + 400 * log10(strength[a] / strength[ENG_BOT_EASY]);
}

void srv_ladder_play(struct srv_ladder *ladder, struct srv_simulate *sim, const struct eng_params *params,
                     uint64_t games, uint64_t seed)
{
    *ladder = (struct srv_ladder){0};
    for (int a = ENG_BOT_EASY; a < SIM_LEVELS; a++)
        for (int b = ENG_BOT_EASY; b < a; b++) {
            double low, high;
            *sim = (struct srv_simulate){
                .params = params, .players = 2, .games = games, .seed = seed, .mirrored = true};
            sim->levels[0] = (enum eng_bot_level)a;
            sim->levels[1] = (enum eng_bot_level)b;
            srv_simulate_run(sim);
            ladder->share[a][b] = srv_simulate_strongest_wins(sim, &low, &high);
            ladder->low[a][b] = low;
            ladder->high[a][b] = high;
            ladder->share[b][a] = 1 - ladder->share[a][b];
            ladder->low[b][a] = 1 - high;
            ladder->high[b][a] = 1 - low;
        }
    srv_ladder_fit(ladder, games);
}
