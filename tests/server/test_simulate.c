/* Simulated games: counted right, repeatable, and asked for with flags that are checked. */
#include <criterion/criterion.h>
#include <string.h>

#include "server/cmd.h"
#include "server/simulate.h"

static struct sim sim_of(uint64_t games, uint64_t seed)
{
    struct sim sim = {.params = eng_params_find("rummy51"), .players = 4, .games = games, .seed = seed};

    sim.levels[0] = ENG_BOT_STRONG;
    sim.levels[1] = sim.levels[2] = sim.levels[3] = ENG_BOT_EASY;
    return sim;
}

Test(simulate, counts_whole_games)
{
    struct sim sim = sim_of(200, 7);

    sim_run(&sim);
    uint64_t ended =
        sim.endings[ENG_ENDED_OUT] + sim.endings[ENG_ENDED_NO_CARDS] + sim.endings[ENG_ENDED_STALLED];
    cr_assert_eq(ended, 200);
    cr_assert_eq(sim.seats, 800);
    cr_assert_eq(sim.seats_of[ENG_BOT_STRONG], 200);
    cr_assert_eq(sim.wins_of[ENG_BOT_STRONG] + sim.wins_of[ENG_BOT_EASY], sim.endings[ENG_ENDED_OUT]);
    cr_assert(sim.lay_offs > 0 && sim.swaps > 0 && sim.burials > 0 && sim.rummies > 0);
    cr_assert_leq(sim_length_at(&sim, 0), sim_length_at(&sim, 0.5));
    cr_assert_leq(sim_length_at(&sim, 0.5), sim_length_at(&sim, 1));
    /* Nobody can go out before the second turn. */
    cr_assert_geq(sim_length_at(&sim, 0), 2);
}

Test(simulate, repeats_itself)
{
    struct sim a = sim_of(30, 7), b = sim_of(30, 7), c = sim_of(30, 8);

    sim_run(&a);
    sim_run(&b);
    sim_run(&c);
    cr_assert_eq(a.moves, b.moves);
    cr_assert_eq(a.lay_offs, b.lay_offs);
    cr_assert_eq(a.points_of[ENG_BOT_EASY], b.points_of[ENG_BOT_EASY]);
    for (int n = 0; n <= SIM_TURNS_MAX; n++)
        cr_assert_eq(a.lengths[n], b.lengths[n]);
    cr_assert_neq(a.moves, c.moves);
}

Test(simulate, knows_wilsons_interval)
{
    double low, high;

    sim_interval(50, 100, &low, &high);
    cr_assert_float_eq(low, 0.4038, 0.001);
    cr_assert_float_eq(high, 0.5962, 0.001);
    sim_interval(0, 0, &low, &high);
    cr_assert(low <= 0 && high >= 1);
    sim_interval(0, 10, &low, &high);
    cr_assert_float_eq(low, 0, 1e-9);
    cr_assert_float_eq(high, 0.2775, 0.001);
}

Test(simulate, refuses_bad_flags)
{
    static const char *const bad[][3] = {
        {"--variant", "whist", NULL},
        {"--games", "0", NULL},
        {"--games=x", NULL, NULL},
        {"--seats", "good", NULL},
        {"--seats=strong", NULL, NULL},
        {"--seats=", NULL, NULL},
        {"--seed", "-1", NULL},
        {"--speed", "1", NULL},
        {"--games", NULL, NULL},
        {"--seed", "1x", NULL},
        {"--seats=easy,,easy", NULL, NULL},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char words[2][32];
        char *args[2];
        int n = 0;
        for (; n < 2 && bad[i][n]; n++) {
            (void)strncpy(words[n], bad[i][n], sizeof words[n] - 1);
            words[n][sizeof words[n] - 1] = 0;
            args[n] = words[n];
        }
        cr_assert_eq(cmd_simulate(n, args), CMD_USAGE, "%s", bad[i][0]);
    }
}
