/* `rummyd throw-rates`: counts how often strong bots take the discard before them, for every variant and
 * number of seats, and prints SQL rows. The output is db/data/11-throw-rates.sql, the baseline of the
 * collusion report. Deterministic. Main thread. */
#include <stdio.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/core/params.h"
#include "server/cli/cmd.h"
#include "server/cli/simulate.h"

enum { RATE_GAMES_DEFAULT = 1000, RATE_GAMES_MAX = 100000, RATE_SEED = 1 };

static void print_rate(const struct eng_params *params, int players, uint64_t games, bool first)
{
    static struct srv_simulate sim; /* large, so a single static one */
    sim = (struct srv_simulate){.params = params, .players = players, .games = games, .seed = RATE_SEED};
    for (int seat = 0; seat < players; seat++)
        sim.levels[seat] = ENG_BOT_STRONG;
    srv_simulate_run(&sim);
    const struct srv_simulate_level *of = &sim.of[ENG_BOT_STRONG];
    ASSERT(of->taken <= of->chances && of->chances > 0);
    (void)printf("%s    ('%s', %d, %llu, %llu)", first ? "" : ",\n", params->variant, players,
                 (unsigned long long)of->chances, (unsigned long long)of->taken);
}

int srv_cmd_throw_rates(int args_n, char *const *args)
{
    int64_t games = RATE_GAMES_DEFAULT;
    if (args_n > 1 || (args_n == 1 && !text_i64(args[0], 1, RATE_GAMES_MAX, &games)))
        return srv_fail(SRV_EXIT_USAGE, "throw-rates takes one number of games at most, from 1 to %d",
                        RATE_GAMES_MAX);
    (void)printf("-- How often the strong bots take the throw before them: %lld games of each kind, stalled "
                 "hands left\n"
                 "-- out. Made by `rummyd throw-rates`, never by hand: it replaces what is there.\n\n"
                 "INSERT INTO throw_rates (variant, seats_n, chances, taken) VALUES\n",
                 (long long)games);
    const struct eng_params *row;
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++)
        for (int players = row->players_min; players <= row->players_max; players++)
            print_rate(row, players, (uint64_t)games, i == 0 && players == row->players_min);
    (void)printf("\nON CONFLICT (variant, seats_n) DO UPDATE SET chances = excluded.chances, taken = "
                 "excluded.taken;\n");
    return SRV_EXIT_OK;
}
