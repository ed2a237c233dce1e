/* `rummyd simulate`: lets bots play whole sessions against each other, to measure how a variant plays and
 * whether bot levels differ in strength. Needs no database and no configuration. Main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"
#include "engine/core/params.h"
#include "server/cli/cmd.h"
#include "server/cli/ladder.h"
#include "server/cli/simulate.h"
#include "server/cli/simulate_record.h"

enum { GAMES_DEFAULT = 1000, GAMES_MAX = 10000000, OPTIONS_MAX = 16 };

/* The parsed flags. */
struct request {
    bool all; /* all variants, one line each */
    struct eng_params params;
    const char *options[OPTIONS_MAX]; /* "name=value" */
    int options_n;
    const char *record; /* file for the first game, or NULL */
    uint64_t ladder;    /* games per pair of levels; 0: no ladder */
};

enum { SIM_ENDINGS = ENG_ENDINGS_N };
static const char *const ending_names[SIM_ENDINGS] = {
    [ENG_ENDED_OUT] = "ended by going out",
    [ENG_ENDED_NO_CARDS] = "ended without cards",
    [ENG_ENDED_STALLED] = "ended stalled",
    [ENG_ENDED_LAST] = "ended by the last seat",
};

static bool is_named(int level, const char *text, size_t len)
{
    const char *name = eng_bot_level_name((enum eng_bot_level)level);
    return strlen(name) == len && strncmp(name, text, len) == 0;
}

static int parse_seats(struct srv_simulate *sim, const char *text)
{
    sim->players = 0;
    while (*text) {
        size_t len = strcspn(text, ",");
        int level = ENG_BOT_EASY;
        while (level < SIM_LEVELS && !is_named(level, text, len))
            level++;
        if (level == SIM_LEVELS)
            return srv_fail(SRV_EXIT_USAGE,
                            "--seats must list easy, medium, strong, or master (got \"%.*s\")",
                            (int)(len < 20 ? len : 20), text);
        if (sim->players == ENG_SEAT_MAX)
            return srv_fail(SRV_EXIT_USAGE, "--seats must list at most %d bots", ENG_SEAT_MAX);
        sim->levels[sim->players++] = (enum eng_bot_level)level;
        text += len;
        text += *text == ',';
    }
    return SRV_EXIT_OK;
}

/* Reports an unknown option or an invalid value, and lists the valid ones. */
static int bad_option(const struct eng_params *params, const char *name, const char *given)
{
    struct eng_option option;
    for (int i = 0; eng_params_option(params, i, &option); i++) {
        if (strcmp(option.name, name) != 0)
            continue;
        if (option.words)
            return srv_fail(SRV_EXIT_USAGE, "--option: %s of %s must be %s or %s (got \"%.40s\")", name,
                            params->variant, option.words[0], option.words[1], given + strlen(name) + 1);
        return srv_fail(SRV_EXIT_USAGE, "--option: %s of %s must be a number from %d to %d (got \"%.40s\")",
                        name, params->variant, option.least, option.greatest, given + strlen(name) + 1);
    }
    return srv_fail(SRV_EXIT_USAGE, "--option must be NAME=VALUE with an option of %s (got \"%.40s\")",
                    params->variant, given);
}

/* Options are checked once the variant is known, because flags come in any order. */
static int take_options(const struct request *request, struct eng_params *params)
{
    for (int i = 0; i < request->options_n; i++) {
        char name[32] = "";
        const char *equals = strchr(request->options[i], '=');
        size_t len = equals ? (size_t)(equals - request->options[i]) : sizeof name;
        if (len < sizeof name)
            memcpy(name, request->options[i], len);
        if (len >= sizeof name || !eng_params_set(params, name, equals + 1))
            return bad_option(params, name, request->options[i]);
    }
    return SRV_EXIT_OK;
}

static int parse_variant(struct request *request, const char *value)
{
    const struct eng_params *row = eng_params_find(value);

    request->all = strcmp(value, "all") == 0;
    if (!row && !request->all)
        return srv_fail(SRV_EXIT_USAGE,
                        "--variant must be all or a name from `rummyd variants` (got \"%.20s\")", value);
    if (row)
        request->params = *row;
    return SRV_EXIT_OK;
}

static int parse_flag(struct srv_simulate *sim, struct request *request, const char *name, const char *value)
{
    int64_t number;

    if (strcmp(name, "--variant") == 0)
        return parse_variant(request, value);
    if (strcmp(name, "--seats") == 0)
        return parse_seats(sim, value);
    if (strcmp(name, "--games") == 0) {
        if (!text_i64(value, 1, GAMES_MAX, &number))
            return srv_fail(SRV_EXIT_USAGE, "--games must be a number from 1 to %d (got \"%.40s\")",
                            GAMES_MAX, value);
        sim->games = (uint64_t)number;
        return SRV_EXIT_OK;
    }
    if (strcmp(name, "--seed") == 0) {
        if (!text_i64(value, 0, INT64_MAX, &number))
            return srv_fail(SRV_EXIT_USAGE, "--seed must be a whole number from 0 (got \"%.40s\")", value);
        sim->seed = (uint64_t)number;
        return SRV_EXIT_OK;
    }
    if (strcmp(name, "--deals") == 0) {
        sim->mirrored = strcmp(value, "mirrored") == 0;
        if (!sim->mirrored && strcmp(value, "fresh") != 0)
            return srv_fail(SRV_EXIT_USAGE, "--deals must be fresh or mirrored (got \"%.20s\")", value);
        return SRV_EXIT_OK;
    }
    if (strcmp(name, "--ladder") == 0) {
        if (!text_i64(value, 2, GAMES_MAX, &number) || number % 2 != 0)
            return srv_fail(SRV_EXIT_USAGE, "--ladder must be an even number from 2 to %d (got \"%.40s\")",
                            GAMES_MAX, value);
        request->ladder = (uint64_t)number;
        return SRV_EXIT_OK;
    }
    if (strcmp(name, "--record") == 0) {
        request->record = value;
        return SRV_EXIT_OK;
    }
    if (strcmp(name, "--option") == 0) {
        if (request->options_n == OPTIONS_MAX)
            return srv_fail(SRV_EXIT_USAGE, "at most %d --option flags are possible", OPTIONS_MAX);
        request->options[request->options_n++] = value;
        return SRV_EXIT_OK;
    }
    return srv_fail(SRV_EXIT_USAGE, "unknown flag %.40s; `rummyd simulate --help` lists the flags", name);
}

/* Flags come as `--name value` or `--name=value`. */
static int parse(struct srv_simulate *sim, struct request *request, int args_n, char *const *args)
{
    for (int i = 0; i < args_n; i++) {
        char name[32];
        const char *equals = strchr(args[i], '='), *value = equals ? equals + 1 : NULL;
        size_t len = equals ? (size_t)(equals - args[i]) : strlen(args[i]);
        if (len >= sizeof name)
            return srv_fail(SRV_EXIT_USAGE, "unknown flag %.40s; `rummyd simulate --help` lists the flags",
                            args[i]);
        memcpy(name, args[i], len);
        name[len] = 0;
        if (!value && ++i < args_n)
            value = args[i];
        if (!value)
            return srv_fail(SRV_EXIT_USAGE, "%s requires a value", name);
        int code = parse_flag(sim, request, name, value);
        if (code != SRV_EXIT_OK)
            return code;
    }
    return SRV_EXIT_OK;
}

/* ---- Results ---- */

static void print_share(const char *what, uint64_t hits, uint64_t of)
{
    (void)printf("%-24s %8.4f\n", what, of ? (double)hits / (double)of : 0.0);
}

/* How often seats of this level took the previous player's discard. */
static void print_throws(const char *name, const struct srv_simulate_level *of)
{
    double share = of->chances ? (double)of->taken / (double)of->chances : 0;
    (void)printf("%-8s per draw        takes the discard %.4f (standard error %.4f), %llu of %llu\n", name,
                 share, srv_simulate_taken_error(of), (unsigned long long)of->taken,
                 (unsigned long long)of->chances);
}

static void print_levels(const struct srv_simulate *sim)
{
    for (int level = ENG_BOT_EASY; level < SIM_LEVELS; level++) {
        const struct srv_simulate_level *of = &sim->of[level];
        double low, high;
        if (of->seats == 0)
            continue;
        srv_simulate_interval(of->won, of->seats, &low, &high);
        (void)printf("%-8s per seat        wins %.4f (95 %%: %.4f to %.4f), alone %llu, shared %llu of %llu; "
                     "total %.2f\n",
                     eng_bot_level_name((enum eng_bot_level)level), of->won / (double)of->seats, low, high,
                     (unsigned long long)of->alone, (unsigned long long)of->shared,
                     (unsigned long long)of->seats, (double)of->points / (double)of->seats);
        print_throws(eng_bot_level_name((enum eng_bot_level)level), of);
    }
}

static void report(const struct srv_simulate *sim, double seconds)
{
    double hands = (double)sim->hands_n;

    (void)printf("%s, %d players, %llu games, %llu hands, seed %llu\n", sim->params->variant, sim->players,
                 (unsigned long long)sim->games, (unsigned long long)sim->hands_n,
                 (unsigned long long)sim->seed);
    (void)printf("hands per game           min %d, p10 %d, median %d, p90 %d, p99 %d, max %d\n",
                 srv_simulate_hands_at(sim, 0), srv_simulate_hands_at(sim, 0.1),
                 srv_simulate_hands_at(sim, 0.5), srv_simulate_hands_at(sim, 0.9),
                 srv_simulate_hands_at(sim, 0.99), srv_simulate_hands_at(sim, 1));
    (void)printf("turns per seat and hand  min %d, p10 %d, median %d, p90 %d, p99 %d, max %d\n",
                 srv_simulate_length_at(sim, 0), srv_simulate_length_at(sim, 0.1),
                 srv_simulate_length_at(sim, 0.5), srv_simulate_length_at(sim, 0.9),
                 srv_simulate_length_at(sim, 0.99), srv_simulate_length_at(sim, 1));
    for (int ending = 1; ending < SIM_ENDINGS; ending++)
        print_share(ending_names[ending], sim->endings[ending], sim->hands_n);
    print_share("seats that opened", sim->opened, sim->seats);
    (void)printf(
        "per hand                 %.2f melds, %.2f lay-offs, %.3f joker swaps, %.3f burials, %.4f Rummies\n",
        (double)sim->melds / hands, (double)sim->lay_offs / hands, (double)sim->swaps / hands,
        (double)sim->burials / hands, (double)sim->rummies / hands);
    print_share("games without a winner", sim->undecided, sim->games);
    print_levels(sim);
    if (sim->deals > 0) {
        double low, high, wins = srv_simulate_strongest_wins(sim, &low, &high);
        (void)printf(
            "mirrored deals           %llu: the strongest wins %.4f (95 %%: %.4f to %.4f), all games in "
            "%.4f of the deals, no game in %.4f\n",
            (unsigned long long)sim->deals, wins, low, high, (double)sim->deals_swept / (double)sim->deals,
            (double)sim->deals_lost / (double)sim->deals);
    }
    (void)printf("speed                    %.0f games/s, %.0f hands/s, %.0f moves/s\n",
                 (double)sim->games / seconds, hands / seconds, (double)sim->moves / seconds);
}

static void row_title(void)
{
    (void)printf("%-10s %7s %7s  %-24s %14s %14s %7s %9s\n", "variant", "seats", "games",
                 "strongest wins (95 %)", "hands med/max", "turns med/max", "out", "games/s");
}

/* One line per variant: the fraction of games won by the strongest level. */
static void row(const struct srv_simulate *sim, double seconds)
{
    double low, high, wins = srv_simulate_strongest_wins(sim, &low, &high);

    (void)printf("%-10s %7d %7llu  %.3f (%.3f to %.3f)   %7d /%5d %7d /%5d %7.4f %9.0f\n",
                 sim->params->variant, sim->players, (unsigned long long)sim->games, wins, low, high,
                 srv_simulate_hands_at(sim, 0.5), srv_simulate_hands_at(sim, 1),
                 srv_simulate_length_at(sim, 0.5), srv_simulate_length_at(sim, 1),
                 (double)sim->endings[ENG_ENDED_OUT] / (double)sim->hands_n, (double)sim->games / seconds);
}

/* One line per pair of levels. */
static void climb(struct srv_simulate *sim, const struct eng_params *params, uint64_t games)
{
    struct srv_ladder ladder;

    srv_ladder_play(&ladder, sim, params, games, sim->seed);
    (void)printf("%s, %llu games per pair\n", params->variant, (unsigned long long)games);
    for (int a = SIM_LEVELS - 1; a >= ENG_BOT_EASY; a--) {
        (void)printf("%-8s Elo %5.0f", eng_bot_level_name((enum eng_bot_level)a), ladder.elo[a]);
        for (int b = SIM_LEVELS - 1; b >= ENG_BOT_EASY; b--)
            if (a != b)
                (void)printf("   %s %.3f (%.3f to %.3f)", eng_bot_level_name((enum eng_bot_level)b),
                             ladder.share[a][b], ladder.low[a][b], ladder.high[a][b]);
        (void)printf("\n");
    }
}

static int run(const struct srv_simulate *settings, const struct request *request,
               const struct eng_params *params, void (*print)(const struct srv_simulate *, double))
{
    static struct srv_simulate sim; /* too large for the stack */
    static struct eng_params mine;

    sim = *settings;
    mine = *params;
    sim.params = &mine;
    int code = take_options(request, &mine);
    if (code != SRV_EXIT_OK)
        return code;
    if (request->ladder > 0) {
        climb(&sim, &mine, request->ladder);
        return SRV_EXIT_OK;
    }
    if (!eng_params_ok(&mine, sim.players))
        return srv_fail(SRV_EXIT_USAGE, "--seats must list %d to %d bots for %s", mine.players_min,
                        mine.players_max, mine.variant);
    struct srv_simulate_recorder recorder;
    if (request->record && srv_simulate_recorder_open(&recorder, &sim, request->record) != SRV_EXIT_OK)
        return SRV_EXIT_FAILED;
    int64_t began = clock_mono_ns();
    srv_simulate_run(&sim);
    print(&sim, (double)(clock_mono_ns() - began) / 1e9);
    return request->record ? srv_simulate_recorder_close(&recorder, &sim) : SRV_EXIT_OK;
}

int srv_cmd_simulate(int args_n, char *const *args)
{
    static struct srv_simulate sim;
    struct request request = {.params = *eng_params_find("rummy51")};

    sim = (struct srv_simulate){.players = 4, .games = GAMES_DEFAULT, .seed = 1};
    for (int seat = 0; seat < sim.players; seat++)
        sim.levels[seat] = ENG_BOT_MEDIUM;
    int code = parse(&sim, &request, args_n, args);
    if (code == SRV_EXIT_OK && request.all && request.record)
        code = srv_fail(SRV_EXIT_USAGE, "--record requires a single variant, not --variant all");
    if (code == SRV_EXIT_OK && request.ladder > 0 && request.record)
        code = srv_fail(SRV_EXIT_USAGE, "--record and --ladder exclude each other");
    if (code != SRV_EXIT_OK || !request.all)
        return code != SRV_EXIT_OK ? code : run(&sim, &request, &request.params, report);
    if (request.ladder == 0)
        row_title();
    const struct eng_params *params;
    for (size_t i = 0; code == SRV_EXIT_OK && (params = eng_params_at(i)) != NULL; i++)
        code = run(&sim, &request, params, row);
    return code;
}
