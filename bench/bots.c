/* Benchmark of the bots and the solver on one core, in processor time: whole games per second, the duration
 * of a move, and the solver's hands per second and slowest hand. Prints one line per figure, "NAME
 * NUMBER". */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/bug.h"
#include "bench/arrange.h"
#include "bench/dice.h"
#include "engine/solver/solver.h"
#include "server/cli/simulate.h"

#define SECONDS 0.4 /* approximate processor time per figure */

enum {
    GAMES_FIRST = 20,
    HANDS = 20000,
    HAND_CARDS = 13,
    MASTER_GAMES = 2,
    BUCKETS = 20000, /* 50 ns each, or 2,000 ns for a master's moves */
    BUCKET_NS = 50,
    BUCKET_MASTER_NS = 2000,
};

static uint32_t buckets[BUCKETS];
static uint64_t timed;
static int bucket_ns = BUCKET_NS;

/* Processor time instead of wall time, to exclude other load on the machine. */
static int64_t spent_ns(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        BUG("no processor clock");
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void move_took(int64_t ns)
{
    int64_t bucket = ns / bucket_ns;
    buckets[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
    timed++;
}

static double move_us_at(double share)
{
    uint64_t so_far = 0;
    int bucket = 0;

    for (; bucket < BUCKETS - 1; bucket++) {
        so_far += buckets[bucket];
        if ((double)so_far >= share * (double)timed)
            break;
    }
    return (bucket + 1) * bucket_ns / 1000.0;
}

/* Plays whole sessions of four. */
static double games_per_s(const struct eng_params *row, enum eng_bot_level level, uint64_t games,
                          bool time_moves)
{
    static struct srv_simulate sim;

    sim = (struct srv_simulate){.params = row, .players = 4, .games = games, .seed = 1};
    for (int seat = 0; seat < sim.players; seat++)
        sim.levels[seat] = level;
    if (time_moves) {
        sim.now_ns = spent_ns;
        sim.move_took = move_took;
    }
    int64_t began = spent_ns();
    srv_simulate_run(&sim);
    return (double)games * 1e9 / (double)(spent_ns() - began);
}

static void bot_figures(const struct eng_params *row)
{
    /* The length of sessions varies too much between variants for a fixed number. */
    uint64_t games = (uint64_t)(games_per_s(row, ENG_BOT_MEDIUM, GAMES_FIRST, false) * SECONDS) + 1;

    (void)printf("bots.%s.games_per_s %.0f\n", row->variant, games_per_s(row, ENG_BOT_MEDIUM, games, false));
    (void)printf("bots.%s.strong_games_per_s %.0f\n", row->variant,
                 games_per_s(row, ENG_BOT_STRONG, games / 2 + 1, false));
    for (enum eng_bot_level level = ENG_BOT_EASY; level <= ENG_BOT_MASTER; level++) {
        bool master = level == ENG_BOT_MASTER;
        memset(buckets, 0, sizeof buckets);
        timed = 0;
        bucket_ns = master ? BUCKET_MASTER_NS : BUCKET_NS;
        (void)games_per_s(row, level, master ? MASTER_GAMES : games / 4 + 1, true);
        (void)printf("bots.%s.%s_us_median %.2f\n", row->variant, eng_bot_level_name(level), move_us_at(0.5));
        (void)printf("bots.%s.%s_us_p99 %.2f\n", row->variant, eng_bot_level_name(level), move_us_at(0.99));
    }
}

/* ---- The solver ---- */

/* Makes a hand with many melds: one to three jokers, overlapping pieces of sets and runs, and a few other
 * cards. */
static void rich_hand(uint8_t hand[HAND_CARDS])
{
    int n = 0;

    for (unsigned jokers = 1 + bench_dice(3); jokers > 0; jokers--)
        n = bench_add(hand, n, ENG_JOKER_FIRST + jokers - 1);
    while (n < HAND_CARDS) {
        unsigned kind = bench_dice(3), rank = bench_dice(13), suit = bench_dice(4),
                 length = kind == 2 ? 1 : 2 + bench_dice(3);
        for (unsigned i = 0; i < length && n < HAND_CARDS; i++) {
            unsigned type = kind == 0 ? (suit + i) % 4 * 13 + rank : suit * 13 + (rank + i) % 13;
            n = bench_add(hand, n, bench_dice(2) * 52 + type);
        }
    }
}

static void solver_figures(void)
{
    static uint8_t hands[HANDS][HAND_CARDS];
    const struct eng_params *params = eng_params_find("rummy51");
    struct eng_solver_rules rules[2];
    struct eng_solver_goal goals[2] = {{.worth_factor = 1, .must_card = ENG_NO_CARD}};
    struct eng_solver_result result;
    int64_t worst = 0, all = 0;

    eng_solver_rules_of(&rules[0], params, params->jokers_opening_max); /* greatest opening */
    eng_solver_rules_of(&rules[1], params, ENG_RUN_MAX);                /* least deadwood */
    eng_solver_goal_points(&goals[1], params);
    for (int i = 0; i < HANDS; i++)
        rich_hand(hands[i]);
    for (int which = 0; which < 2; which++) {
        int64_t began = spent_ns();
        for (int i = 0; i < HANDS; i++)
            eng_solver_best(&rules[which], &goals[which], hands[i], HAND_CARDS, &result);
        all += spent_ns() - began;
        for (int i = 0; i < HANDS; i++) {
            int64_t least = INT64_MAX; /* minimum of five runs, to exclude other load */
            for (int k = 0; k < 5; k++) {
                int64_t from = spent_ns();
                eng_solver_best(&rules[which], &goals[which], hands[i], HAND_CARDS, &result);
                int64_t took = spent_ns() - from;
                least = took < least ? took : least;
            }
            worst = least > worst ? least : worst;
        }
    }
    (void)printf("solver.hands_per_s %.0f\n", 2.0 * HANDS * 1e9 / (double)all);
    (void)printf("solver.worst_us %.1f\n", (double)worst / 1000);
}

int main(void)
{
    const struct eng_params *row;

    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++)
        bot_figures(row);
    solver_figures();
    arrange_figures(spent_ns);
    return 0;
}
