/* Measures how much skill can win despite luck: a master with knowledge of hidden cards plays against
 * strong bots, with mirrored deals. It evaluates the same candidates as any master (engine/bots/master.h).
 * `hands`: with the true hands of the others and an imagined stock; `all`: in the actual deal, including
 * the stock, where each candidate is played to the end once, because the result is certain. A player who
 * sees only their own cards is unlikely to win more. Only for measurements; the linker wraps the two
 * functions of engine/bots/imagine.c. Usage: bench-luck all|hands [GAMES [PLAYERS [SEED [VARIANT]]]];
 * prints one line per variant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "server/cli/simulate.h"

enum { GAMES_DEFAULT = 2000, GAMES_MAX = 10000000 };

static const struct eng_game *real; /* the state before the move to choose */
static bool sees_stock;

/* The linker determines these names. NOLINTBEGIN(bugprone-reserved-identifier) */
void __real_eng_master_set_view(struct eng_master *master, const struct eng_view *view);
void __real_eng_master_imagine(struct eng_master *master, const struct eng_view *view, uint64_t *rng);
void __wrap_eng_master_set_view(struct eng_master *master, const struct eng_view *view);
void __wrap_eng_master_imagine(struct eng_master *master, const struct eng_view *view, uint64_t *rng);
/* NOLINTEND(bugprone-reserved-identifier) */

static void see(const struct srv_simulate *sim, const struct eng_game *game)
{
    ASSERT(sim != NULL && game != NULL);
    real = game;
}

/* Uses the true hands, so that only the stock is imagined. */
void __wrap_eng_master_set_view(struct eng_master *master, const struct eng_view *view)
{
    __real_eng_master_set_view(master, view);
    memcpy(master->known.hand, real->hand, sizeof real->hand);
    memcpy(master->hidden, real->stock, real->stock_n);
    master->hidden_n = real->stock_n;
}

/* If the stock is known as well, ends the search after one deal. */
void __wrap_eng_master_imagine(struct eng_master *master, const struct eng_view *view, uint64_t *rng)
{
    __real_eng_master_imagine(master, view, rng);
    if (!sees_stock)
        return;
    master->imagined = *real;
    master->steps = MASTER_STEPS_MAX;
}

static void play(const struct eng_params *params, int players, uint64_t games, uint64_t seed)
{
    static struct srv_simulate sim; /* too large for the stack */
    double low, high;

    sim = (struct srv_simulate){
        .params = params, .players = players, .games = games, .seed = seed, .mirrored = true, .to_move = see};
    sim.levels[0] = ENG_BOT_MASTER;
    for (int seat = 1; seat < players; seat++)
        sim.levels[seat] = ENG_BOT_STRONG;
    srv_simulate_run(&sim);
    double wins = srv_simulate_strongest_wins(&sim, &low, &high), deals = (double)sim.deals;
    (void)printf("%-10s %d players, %llu games: a player who sees %s wins %.4f (95 %%: %.4f to %.4f), all "
                 "games of %.4f of "
                 "the deals, none of %.4f\n",
                 params->variant, players, (unsigned long long)games, sees_stock ? "all" : "hands", wins, low,
                 high, (double)sim.deals_swept / deals, (double)sim.deals_lost / deals);
}

/* Reads an argument, or returns the default if it is missing. */
static uint64_t number(int args_n, char *const *args, int at, int64_t least, int64_t most, int64_t missing)
{
    int64_t value = missing;

    if (at < args_n && !text_i64(args[at], least, most, &value)) {
        (void)fprintf(stderr, "bench-luck: \"%.20s\" is not a number from %lld to %lld\n", args[at],
                      (long long)least, (long long)most);
        exit(2);
    }
    return (uint64_t)value;
}

int main(int args_n, char **args)
{
    bool hands = args_n > 1 && strcmp(args[1], "hands") == 0;
    const struct eng_params *row, *only = args_n > 5 ? eng_params_find(args[5]) : NULL;

    sees_stock = args_n > 1 && strcmp(args[1], "all") == 0;
    if ((!hands && !sees_stock) || args_n > 6 || (args_n > 5 && !only)) {
        (void)fprintf(stderr, "usage: bench-luck all|hands [GAMES [PLAYERS [SEED [VARIANT]]]]\n");
        return 2;
    }
    uint64_t games = number(args_n, args, 2, ENG_SEAT_MAX, GAMES_MAX, GAMES_DEFAULT);
    int players = (int)number(args_n, args, 3, 2, 4, 2);
    uint64_t seed = number(args_n, args, 4, 0, INT64_MAX, 1);
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++)
        if (!only || row == only)
            play(row, players, games, seed);
    return 0;
}
