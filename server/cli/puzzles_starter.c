/* `rummyd puzzles starter VARIANT`: prints puzzles from bot games as SQL rows. The output is committed in
 * db/data, so that a new installation starts with puzzles. Deterministic. Main thread. */
#include "server/cli/puzzles.h"

#include "base/bug.h"
#include "engine/core/params.h"
#include "server/cli/cmd.h"
#include "server/cli/puzzle_find.h"
#include "server/cli/simulate_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_MAX = 5000, SEATS_MOST = 4, VARIANTS_MOST = 64, COLUMNS_MAX = 100 };

static struct srv_puzzle_search search; /* both are too large for the stack */
static struct srv_simulate sim;

static void keep_hand(struct srv_simulate *of, uint64_t number, const struct eng_game *before,
                      const struct eng_game *after)
{
    size_t len;
    char *text = srv_simulate_hand_text(of, number, before, after, &len);
    if (!srv_record_book_add(of->arg, "a game of bots", text, len))
        BUG("a printed record cannot be parsed");
    free(text);
}

/* Plays one bot game; the seed determines the number of players and their levels. */
static void play_game(const struct eng_params *params, uint64_t seed, struct srv_record_book *book)
{
    struct eng_move *played = sim.played;
    sim = (struct srv_simulate){.params = params,
                                .players = 2 + (int)(seed % (uint64_t)(SEATS_MOST - 1)),
                                .games = 1,
                                .seed = seed,
                                .played = played,
                                .played_max = ENG_RECORD_STEPS_MAX,
                                .hand_over = keep_hand,
                                .arg = book};
    if (sim.players > params->players_max)
        sim.players = params->players_max;
    for (int seat = 0; seat < sim.players; seat++)
        sim.levels[seat] = (seed + (uint64_t)seat) % 2 == 0 ? ENG_BOT_STRONG : ENG_BOT_MEDIUM;
    srv_simulate_run(&sim);
}

/* Splits a long line into literals, one per line, which SQL concatenates. */
static void print_row(const char *line, bool first)
{
    size_t left = strlen(line);

    ASSERT(left > 0 && strchr(line, '\'') == NULL);
    (void)printf("%s    (", first ? "" : ",\n");
    for (size_t n; left > 0; left -= n, line += n) {
        n = left < COLUMNS_MAX ? left : COLUMNS_MAX;
        (void)printf("'%.*s'%s", (int)n, line, left > n ? "\n     " : ")");
    }
}

static int print_variant(const struct eng_params *params, size_t row, const struct srv_puzzles_wish *wish)
{
    static struct srv_puzzle found[PUZZLE_PER_GAME];
    int64_t n = 0, of_theme[EVALUATE_THEMES_N] = {0};
    /* If the variant has several themes, at most half of its puzzles share one. */
    int64_t most = params->family == ENG_FAMILY_DECLARE ? wish->per_variant : (wish->per_variant + 1) / 2;

    (void)printf("-- Puzzles of %s from games of bots, for a server that has no games yet; CC0. Generated "
                 "by\n-- `rummyd "
                 "puzzles starter %s`; do not edit.\n\nSELECT count(do_puzzle_import(line)) FROM (VALUES\n",
                 params->variant, params->variant);
    for (uint64_t game = 0; n < wish->per_variant && game < GAMES_MAX; game++) {
        struct srv_record_book book = {0};
        uint64_t seed = ((uint64_t)wish->seed * VARIANTS_MOST + row) * GAMES_MAX + game;
        play_game(params, seed, &book);
        int some = srv_puzzle_find(&search, &book, seed, found);
        for (int i = 0; i < some && n < wish->per_variant; i++) {
            if (of_theme[found[i].theme]++ >= most)
                continue;
            print_row(found[i].line, n++ == 0);
        }
        srv_record_book_free(&book);
    }
    (void)printf("\n) AS puzzles (line);\n");
    (void)fprintf(stderr,
                  "%s: %lld puzzles, %llu decisions evaluated, %llu with a lead, %llu too obvious, %llu not "
                  "confirmed\n",
                  params->variant, (long long)n, (unsigned long long)search.moments,
                  (unsigned long long)search.screened, (unsigned long long)search.trivial,
                  (unsigned long long)search.unconfirmed);
    return n == wish->per_variant
               ? SRV_EXIT_OK
               : srv_fail(SRV_EXIT_FAILED, "found only %lld of %lld puzzles of %s; try another --seed",
                          (long long)n, (long long)wish->per_variant, params->variant);
}

int srv_puzzles_starter(const struct srv_puzzles_wish *wish)
{
    const struct eng_params *params;
    size_t row = 0;

    while ((params = eng_params_at(row)) != NULL && strcmp(params->variant, wish->word) != 0)
        row++;
    if (!params)
        return srv_fail(SRV_EXIT_USAGE, "VARIANT must be a name from `rummyd variants` (got \"%.40s\")",
                        wish->word);
    sim.played = calloc(ENG_RECORD_STEPS_MAX, sizeof *sim.played);
    if (!sim.played)
        BUG("no memory for a game");
    int code = print_variant(params, row, wish);
    free(sim.played);
    return code;
}
