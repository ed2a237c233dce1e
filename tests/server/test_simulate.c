/* Simulated games: counted correctly, repeatable, and configured by validated flags. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "engine/core/game.h"
#include "engine/core/params.h"
#include "server/cli/cmd.h"
#include "server/cli/ladder.h"
#include "server/cli/simulate.h"

static struct srv_simulate sim_of(uint64_t games, uint64_t seed)
{
    struct srv_simulate sim = {
        .params = eng_params_find("rummy51"), .players = 4, .games = games, .seed = seed};

    sim.levels[0] = ENG_BOT_STRONG;
    sim.levels[1] = sim.levels[2] = sim.levels[3] = ENG_BOT_EASY;
    return sim;
}

Test(simulate, counts_whole_games)
{
    struct srv_simulate sim = sim_of(200, 7);

    srv_simulate_run(&sim);
    uint64_t ended =
        sim.endings[ENG_ENDED_OUT] + sim.endings[ENG_ENDED_NO_CARDS] + sim.endings[ENG_ENDED_STALLED];
    cr_assert_eq(ended, 200);
    cr_assert_eq(sim.seats, 800);
    cr_assert_eq(sim.of[ENG_BOT_STRONG].seats, 200);
    cr_assert_eq(sim.of[ENG_BOT_STRONG].alone + sim.of[ENG_BOT_EASY].alone, sim.endings[ENG_ENDED_OUT]);
    cr_assert_eq(sim.of[ENG_BOT_STRONG].alone + sim.of[ENG_BOT_EASY].alone + sim.undecided, 200);
    cr_assert(sim.lay_offs > 0 && sim.swaps > 0 && sim.burials > 0 && sim.rummies > 0);
    cr_assert_leq(srv_simulate_length_at(&sim, 0), srv_simulate_length_at(&sim, 0.5));
    cr_assert_leq(srv_simulate_length_at(&sim, 0.5), srv_simulate_length_at(&sim, 1));
    /* No player can go out before the second turn. */
    cr_assert_geq(srv_simulate_length_at(&sim, 0), 2);
}

Test(simulate, plays_whole_sessions)
{
    static const struct {
        const char *variant;
        int least, most;
    } cases[] = {{"rummy51", 1, 1}, {"straight", 1, 99}, {"treff", 3, 3}, {"rummy40", 3, 3}, {"rami", 3, 3}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct srv_simulate sim = sim_of(40, 3);
        sim.params = eng_params_find(cases[i].variant);
        srv_simulate_run(&sim);
        cr_assert_geq(srv_simulate_hands_at(&sim, 0), cases[i].least, "%s", cases[i].variant);
        cr_assert_leq(srv_simulate_hands_at(&sim, 1), cases[i].most, "%s", cases[i].variant);
        const struct srv_simulate_level *strong = &sim.of[ENG_BOT_STRONG], *easy = &sim.of[ENG_BOT_EASY];
        cr_assert_float_eq(strong->won + easy->won + (double)sim.undecided, 40, 1e-6);
        cr_assert_eq(strong->seats, 40);
        cr_assert_eq(easy->seats, 120);
        cr_assert_eq(sim.seats, sim.hands_n * 4);
    }
}

/* A short form of `rummyd simulate --variant all --seats strong,easy`, with fixed deals. */
Test(simulate, the_strongest_wins_most_games_of_every_variant)
{
    const struct eng_params *params;

    for (size_t i = 0; (params = eng_params_at(i)) != NULL; i++) {
        struct srv_simulate sim = {.params = params, .players = 2, .games = 200, .seed = 2};
        sim.levels[0] = ENG_BOT_STRONG;
        sim.levels[1] = ENG_BOT_EASY;
        srv_simulate_run(&sim);
        double share = sim.of[ENG_BOT_STRONG].won / (double)sim.games;
        cr_assert_geq(share, 0.7, "%s: %.3f", params->variant, share);
    }
}

/* Equal levels split every mirrored deal. Otherwise the stronger level gains, and the interval is computed
 * from the deals. */
Test(simulate, mirrors_deals)
{
    struct srv_simulate sim = {
        .params = eng_params_find("points"), .players = 2, .games = 400, .seed = 2, .mirrored = true};
    double low, high;

    sim.levels[0] = sim.levels[1] = ENG_BOT_STRONG;
    srv_simulate_run(&sim);
    cr_assert_eq(sim.deals, 200);
    cr_assert_eq(sim.deals_swept, 200, "both seats are the strongest's");
    struct srv_simulate mixed = {
        .params = sim.params, .players = 2, .games = 400, .seed = 2, .mirrored = true};
    mixed.levels[0] = ENG_BOT_STRONG;
    mixed.levels[1] = ENG_BOT_EASY;
    srv_simulate_run(&mixed);
    double share = srv_simulate_strongest_wins(&mixed, &low, &high), wilson_low, wilson_high;
    cr_assert_float_eq(share, mixed.deals_won / 400, 1e-9);
    cr_assert_gt(mixed.deals_swept, 4 * mixed.deals_lost);
    cr_assert_lt(mixed.deals_swept + mixed.deals_lost, 200, "luck decides some");
    cr_assert(low < share && share < high && low > 0.6);
    srv_simulate_interval(mixed.deals_won, 400, &wilson_low, &wilson_high);
    cr_assert_lt(high - low, wilson_high - wilson_low, "mirrored deals are more precise");
}

static uint64_t told, hidden;

/* Called before the move, with the whole game, including cards hidden from the seat to move. */
static void note_move(const struct srv_simulate *sim, const struct eng_game *game)
{
    cr_assert_eq(told++, sim->moves);
    cr_assert(eng_phase(game) == ENG_TO_DRAW || eng_phase(game) == ENG_TO_PLAY);
    for (int seat = 0; seat < sim->players; seat++)
        hidden += seat != eng_seat_to_move(game) && eng_cards_count(&game->hand[seat]) > 0;
}

Test(simulate, reports_the_state_of_the_game_before_each_move)
{
    struct srv_simulate sim = sim_of(20, 7), silent = sim_of(20, 7);

    sim.to_move = note_move;
    srv_simulate_run(&sim);
    srv_simulate_run(&silent);
    cr_assert(told == sim.moves && sim.moves == silent.moves);
    cr_assert_gt(hidden, sim.moves);
}

Test(simulate, equal_seeds_give_equal_results)
{
    struct srv_simulate a = sim_of(30, 7), b = sim_of(30, 7), c = sim_of(30, 8);

    srv_simulate_run(&a);
    srv_simulate_run(&b);
    srv_simulate_run(&c);
    cr_assert_eq(a.moves, b.moves);
    cr_assert_eq(a.lay_offs, b.lay_offs);
    cr_assert_eq(a.of[ENG_BOT_EASY].points, b.of[ENG_BOT_EASY].points);
    for (int n = 0; n <= SIM_TURNS_MAX; n++)
        cr_assert_eq(a.lengths[n], b.lengths[n]);
    cr_assert_neq(a.moves, c.moves);
}

/* Two hands: 3 of 10 taken, and 5 of 30. The fraction is 0.2; the residuals are 1 and -1, so sqrt(2) / 40. */
Test(simulate, computes_the_error_of_a_discard_rate)
{
    const struct srv_simulate_level of = {.chances = 40,
                                          .taken = 8,
                                          .chances_squared = 100 + 900,
                                          .taken_squared = 9 + 25,
                                          .chances_taken = 30 + 150};
    const struct srv_simulate_level none = {0};
    cr_assert_float_eq(srv_simulate_taken_error(&of), 0.0353553, 1e-6);
    cr_assert_float_eq(srv_simulate_taken_error(&none), 0, 1e-9);
}

/* Bots of equal level need no special case: each draw after a discard counts for either level. */
Test(simulate, counts_discards_that_are_taken)
{
    struct srv_simulate sim = sim_of(100, 7);
    srv_simulate_run(&sim);
    const struct srv_simulate_level *strong = &sim.of[ENG_BOT_STRONG], *easy = &sim.of[ENG_BOT_EASY];
    cr_assert(strong->taken > 0 && strong->taken < strong->chances);
    cr_assert(easy->taken < easy->chances);
    cr_assert_lt(strong->chances + easy->chances, sim.moves);
    cr_assert_gt(srv_simulate_taken_error(strong), 0);
}

Test(simulate, computes_the_wilson_interval)
{
    double low, high;

    srv_simulate_interval(50, 100, &low, &high);
    cr_assert_float_eq(low, 0.4038, 0.001);
    cr_assert_float_eq(high, 0.5962, 0.001);
    srv_simulate_interval(0, 0, &low, &high);
    cr_assert(low <= 0 && high >= 1);
    srv_simulate_interval(0, 10, &low, &high);
    cr_assert_float_eq(low, 0, 1e-9);
    cr_assert_float_eq(high, 0.2775, 0.001);
}

/* A difference of 400 is ten wins for one loss; a pairing in which one level won every game counts as half
 * a game less. */
Test(simulate, fits_a_ladder)
{
    static struct srv_simulate sim;
    struct srv_ladder ladder = {0};

    for (int a = ENG_BOT_EASY; a < SIM_LEVELS; a++)
        for (int b = ENG_BOT_EASY; b < SIM_LEVELS; b++)
            ladder.share[a][b] = 1 / (1 + pow(10, (b - a) * 100 / 400.0));
    srv_ladder_fit(&ladder, 1000000);
    for (int a = ENG_BOT_EASY; a < SIM_LEVELS; a++)
        cr_assert_float_eq(ladder.elo[a], LADDER_BASE + (a - ENG_BOT_EASY) * 100, 0.01);
    for (int a = ENG_BOT_EASY; a < SIM_LEVELS; a++)
        for (int b = ENG_BOT_EASY; b < SIM_LEVELS; b++)
            ladder.share[a][b] = a > b;
    srv_ladder_fit(&ladder, 100);
    for (int a = ENG_BOT_MEDIUM; a < SIM_LEVELS; a++)
        cr_assert(isfinite(ladder.elo[a]) && ladder.elo[a] > ladder.elo[a - 1] + 100);
    srv_ladder_play(&ladder, &sim, eng_params_find("rummy51"), 4, 1);
    cr_assert_float_eq(
        ladder.share[ENG_BOT_MASTER][ENG_BOT_EASY] + ladder.share[ENG_BOT_EASY][ENG_BOT_MASTER], 1, 1e-9);
    cr_assert_float_eq(ladder.elo[ENG_BOT_EASY], (double)LADDER_BASE, 1e-9);
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
        {"--deals", "marked", NULL},
        {"--ladder", "3", NULL},
        {"--ladder=4", "--record=x", NULL},
        {"--games", NULL, NULL},
        {"--seed", "1x", NULL},
        {"--seats=easy,,easy", NULL, NULL},
        {"--option", "target=60", NULL},
        {"--option=ace", NULL, NULL},
        {"--option", "opening_min=soon", NULL},
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
        cr_assert_eq(srv_cmd_simulate(n, args), SRV_EXIT_USAGE, "%s", bad[i][0]);
    }
}
