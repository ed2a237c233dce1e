/* `rummyd simulate`: bots against bots, to see how a variant plays and whether the strengths
 * differ. Needs no database and no configuration. Main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"
#include "engine/params.h"
#include "server/cmd.h"
#include "server/simulate.h"

enum { GAMES_DEFAULT = 1000, GAMES_MAX = 10000000 };

static const char *const level_names[SIM_LEVELS] = {
    [ENG_BOT_EASY] = "easy", [ENG_BOT_MEDIUM] = "medium", [ENG_BOT_STRONG] = "strong"};

static int parse_seats(struct sim *sim, const char *text)
{
    sim->players = 0;
    while (*text) {
        size_t len = strcspn(text, ",");
        int level = ENG_BOT_EASY;
        while (level < SIM_LEVELS &&
               (strlen(level_names[level]) != len || strncmp(level_names[level], text, len) != 0))
            level++;
        if (level == SIM_LEVELS)
            return cmd_error(CMD_USAGE, "--seats: \"%.*s\" is no strength (easy, medium, strong)",
                             (int)(len < 20 ? len : 20), text);
        if (sim->players == ENG_SEAT_MAX)
            return cmd_error(CMD_USAGE, "--seats: at most %d", ENG_SEAT_MAX);
        sim->levels[sim->players++] = (enum eng_bot_level)level;
        text += len;
        text += *text == ',';
    }
    return CMD_OK;
}

static int parse_flag(struct sim *sim, const char *name, const char *value)
{
    int64_t number;

    if (strcmp(name, "--variant") == 0) {
        sim->params = eng_params_find(value);
        return sim->params ? CMD_OK : cmd_error(CMD_USAGE, "--variant: there is no variant \"%.20s\"", value);
    }
    if (strcmp(name, "--seats") == 0)
        return parse_seats(sim, value);
    if (strcmp(name, "--games") == 0) {
        if (!text_i64(value, 1, GAMES_MAX, &number))
            return cmd_error(CMD_USAGE, "--games: a number from 1 to %d", GAMES_MAX);
        sim->games = (uint64_t)number;
        return CMD_OK;
    }
    if (strcmp(name, "--seed") == 0) {
        if (!text_i64(value, 0, INT64_MAX, &number))
            return cmd_error(CMD_USAGE, "--seed: a whole number, 0 or more");
        sim->seed = (uint64_t)number;
        return CMD_OK;
    }
    return cmd_error(CMD_USAGE, "simulate: there is no flag %.40s (--variant, --games, --seats, --seed)",
                     name);
}

/* Flags come as `--name value` or `--name=value`. */
static int parse(struct sim *sim, int args_n, char *const *args)
{
    for (int i = 0; i < args_n; i++) {
        char name[32];
        const char *equals = strchr(args[i], '='), *value = equals ? equals + 1 : NULL;
        size_t len = equals ? (size_t)(equals - args[i]) : strlen(args[i]);
        if (len >= sizeof name)
            return cmd_error(CMD_USAGE, "simulate: there is no flag %.40s", args[i]);
        memcpy(name, args[i], len);
        name[len] = 0;
        if (!value && ++i < args_n)
            value = args[i];
        if (!value)
            return cmd_error(CMD_USAGE, "simulate: %s needs a value", name);
        int code = parse_flag(sim, name, value);
        if (code != CMD_OK)
            return code;
    }
    if (!eng_params_ok(sim->params, sim->players))
        return cmd_error(CMD_USAGE, "--seats: %s is played by %d to %d", sim->params->variant,
                         sim->params->players_min, sim->params->players_max);
    return CMD_OK;
}

static void print_share(const char *what, uint64_t hits, uint64_t of)
{
    (void)printf("%-24s %8.4f\n", what, of ? (double)hits / (double)of : 0.0);
}

static void report(const struct sim *sim, double seconds)
{
    double games = (double)sim->games;

    (void)printf("%s, %d players, %llu games, seed %llu\n", sim->params->variant, sim->players,
                 (unsigned long long)sim->games, (unsigned long long)sim->seed);
    (void)printf("turns of a seat          min %d, p10 %d, median %d, p90 %d, p99 %d, max %d\n",
                 sim_length_at(sim, 0), sim_length_at(sim, 0.1), sim_length_at(sim, 0.5),
                 sim_length_at(sim, 0.9), sim_length_at(sim, 0.99), sim_length_at(sim, 1));
    print_share("ended by going out", sim->endings[ENG_ENDED_OUT], sim->games);
    print_share("ended without cards", sim->endings[ENG_ENDED_NO_CARDS], sim->games);
    print_share("ended stalled", sim->endings[ENG_ENDED_STALLED], sim->games);
    print_share("seats that opened", sim->opened, sim->seats);
    (void)printf(
        "of a game                %.2f melds, %.2f lay-offs, %.3f joker swaps, %.3f burials, %.4f Rummies\n",
        (double)sim->melds / games, (double)sim->lay_offs / games, (double)sim->swaps / games,
        (double)sim->burials / games, (double)sim->rummies / games);
    for (int level = ENG_BOT_EASY; level < SIM_LEVELS; level++) {
        double low, high;
        uint64_t seats = sim->seats_of[level];
        if (seats == 0)
            continue;
        sim_interval(sim->wins_of[level], seats, &low, &high);
        (void)printf("%-8s a seat          wins %.4f (95 %%: %.4f to %.4f), points %.2f\n",
                     level_names[level], (double)sim->wins_of[level] / (double)seats, low, high,
                     (double)sim->points_of[level] / (double)seats);
    }
    (void)printf("speed                    %.0f games/s, %.0f moves/s\n", games / seconds,
                 (double)sim->moves / seconds);
}

int cmd_simulate(int args_n, char *const *args)
{
    static struct sim sim; /* large, and there is one */

    sim = (struct sim){.params = eng_params_find("rummy51"), .players = 4, .games = GAMES_DEFAULT, .seed = 1};
    for (int seat = 0; seat < sim.players; seat++)
        sim.levels[seat] = ENG_BOT_MEDIUM;
    int code = parse(&sim, args_n, args);
    if (code != CMD_OK)
        return code;
    int64_t began = clock_mono_ns();
    sim_run(&sim);
    report(&sim, (double)(clock_mono_ns() - began) / 1e9);
    return CMD_OK;
}
