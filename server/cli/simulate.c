/* See simulate.h. The bots get only views, as at a live table. */
#include "server/cli/simulate.h"

#include <math.h>
#include <string.h>

#include "base/bug.h"
#include "engine/core/game.h"

static void count_score(struct srv_simulate *sim, const enum eng_bot_level *levels, const struct eng_event *e)
{
    struct srv_simulate_level *of = &sim->of[levels[e->seat]];

    sim->seats++;
    sim->opened += (e->scored.flags & ENG_SCORE_OPENED) != 0;
    sim->rummies += (e->scored.flags & ENG_SCORE_RUMMY) != 0;
    of->hands += (e->scored.flags & ENG_SCORE_WON) != 0;
}

/* The session is over: counts its winners, sole or shared. */
static void count_game(struct srv_simulate *sim, const enum eng_bot_level *levels,
                       const struct eng_game *game, struct eng_view *view)
{
    eng_view(game, ENG_SPECTATOR, view);
    int winners = __builtin_popcount(view->winners);
    enum eng_bot_level strongest = srv_simulate_strongest(sim);

    sim->undecided += winners == 0;
    sim->hands[view->hand_no < SIM_HANDS_MAX ? view->hand_no : SIM_HANDS_MAX]++;
    for (int seat = 0; seat < sim->players; seat++) {
        struct srv_simulate_level *of = &sim->of[levels[seat]];
        bool won = (view->winners >> seat & 1) != 0;
        of->seats++;
        of->points += view->points[seat];
        of->alone += won && winners == 1;
        of->shared += won && winners > 1;
        of->won += won ? 1.0 / winners : 0;
        sim->deal_won += won && levels[seat] == strongest ? 1.0 / winners : 0;
    }
}

/* The last rotation of a deal has been played: counts the results of the strongest level with these cards. */
static void count_deal(struct srv_simulate *sim)
{
    sim->deals++;
    sim->deals_won += sim->deal_won;
    sim->deals_squared += sim->deal_won * sim->deal_won;
    sim->deals_swept += sim->deal_won >= sim->players;
    sim->deals_lost += sim->deal_won <= 0;
    sim->deal_won = 0;
}

/* Counts taken discards of the finished hand. Stalled hands are skipped, because in them the same cards
 * keep being drawn and discarded, which would distort the rate. */
static void count_throws(struct srv_simulate *sim, const enum eng_bot_level *levels)
{
    uint64_t chances[SIM_LEVELS] = {0}, taken[SIM_LEVELS] = {0};

    if (sim->ending == ENG_ENDED_STALLED)
        return;
    for (int thrower = 0; thrower < sim->players; thrower++)
        for (int seat = 0; seat < sim->players; seat++) {
            chances[levels[seat]] += sim->throws.of[thrower].chances[seat];
            taken[levels[seat]] += sim->throws.of[thrower].taken[seat];
        }
    for (int level = 0; level < SIM_LEVELS; level++) {
        struct srv_simulate_level *of = &sim->of[level];
        of->chances += chances[level];
        of->taken += taken[level];
        of->chances_squared += chances[level] * chances[level];
        of->taken_squared += taken[level] * taken[level];
        of->chances_taken += chances[level] * taken[level];
    }
}

static void count(struct srv_simulate *sim, const enum eng_bot_level *levels, const struct eng_outcome *out)
{
    for (int i = 0; i < out->events_n; i++) {
        const struct eng_event *e = &out->events[i];
        tab_throws_note(&sim->throws, e);
        switch (e->type) {
        case ENG_EV_MELDED:
            sim->melds++;
            break;
        case ENG_EV_LAID_OFF:
            sim->lay_offs++;
            break;
        case ENG_EV_SWAPPED:
            sim->swaps++;
            break;
        case ENG_EV_DISCARDED:
            sim->burials += e->discarded.buried;
            break;
        case ENG_EV_HAND_ENDED:
            ASSERT(e->hand_ended.ending > ENG_ENDED_NOT && e->hand_ended.ending < ENG_ENDINGS_N);
            sim->endings[e->hand_ended.ending]++;
            sim->ending = e->hand_ended.ending;
            break;
        case ENG_EV_SCORED:
            count_score(sim, levels, e);
            break;
        default:
            break;
        }
    }
}

/* The seat that moves next; while players group their cards, the first seat that has not done so. */
static uint8_t seat_of(const struct eng_game *game)
{
    uint8_t seat = 0;

    if (eng_phase(game) != ENG_TO_GROUP)
        return eng_seat_to_move(game);
    while (!eng_seat_to_group(game, seat))
        seat++;
    return seat;
}

/* Plays one move for the seat whose turn it is, and leaves that seat's view in *view. */
static void step(struct srv_simulate *sim, struct eng_game *game, const enum eng_bot_level *levels,
                 uint64_t *rngs, struct eng_view *view, struct eng_outcome *out)
{
    struct eng_move move;
    uint8_t seat = seat_of(game);

    eng_view(game, seat, view);
    if (sim->to_move)
        sim->to_move(sim, game);
    int64_t before = sim->now_ns ? sim->now_ns() : 0;
    if (levels[seat] == ENG_BOT_MASTER)
        eng_master_move(view, &sim->master, &rngs[seat], &move);
    else
        eng_bot_move(view, levels[seat], &rngs[seat], &move);
    if (sim->now_ns)
        sim->move_took(sim->now_ns() - before);
    if (eng_apply(game, &move, out) != ENG_OK)
        BUG("a bot made an illegal move");
    sim->moves++;
    if (sim->played) {
        ASSERT(sim->played_n < sim->played_max);
        sim->played[sim->played_n++] = move;
    }
    count(sim, levels, out);
}

void srv_simulate_seed(const struct srv_simulate *sim, uint64_t number, uint64_t hand, uint8_t seed[32])
{
    const uint64_t words[4] = {sim->seed, number, hand, 0};

    memcpy(seed, words, sizeof words);
}

static void deal(const struct srv_simulate *sim, struct eng_game *game, uint64_t number, uint64_t hand,
                 struct eng_outcome *out)
{
    static const struct eng_client_seed none[ENG_SEAT_MAX];
    uint8_t seed[32], key[ENG_KEY_BYTES];

    srv_simulate_seed(sim, number, hand, seed);
    eng_deal_key(key, seed, number, (uint32_t)hand + 1, none, sim->players);
    eng_deal(game, key, out);
}

/* Counts a finished hand; its length is the number of turns of the seat with the most. */
static void count_hand(struct srv_simulate *sim, const struct eng_game *game, struct eng_view *view)
{
    int longest = 0;

    eng_view(game, ENG_SPECTATOR, view);
    for (int seat = 0; seat < sim->players; seat++)
        longest = view->round[seat] - 1 > longest ? view->round[seat] - 1 : longest;
    sim->hands_n++;
    sim->lengths[longest < SIM_TURNS_MAX ? longest : SIM_TURNS_MAX]++;
}

static bool is_played(const struct eng_game *game)
{
    return eng_phase(game) != ENG_HAND_OVER && eng_phase(game) != ENG_SESSION_OVER;
}

/* Between hands: players eliminated from a pool game may rejoin for the next one. */
static void rejoin(struct srv_simulate *sim, struct eng_game *game, const enum eng_bot_level *levels)
{
    struct eng_outcome out;
    struct eng_view view;

    sim->between.n = 0;
    for (uint8_t seat = 0; seat < sim->players && eng_phase(game) == ENG_HAND_OVER; seat++) {
        const struct eng_move move = {.type = ENG_REJOIN, .seat = seat, .meld = ENG_NO_MELD};
        eng_view(game, seat, &view);
        if (!eng_bot_rejoins(&view, levels[seat]))
            continue;
        if (eng_apply(game, &move, &out) != ENG_OK)
            BUG("a bot rejoined where it must not");
        eng_between_add(&sim->between, &move);
    }
    const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
    if (eng_phase(game) == ENG_HAND_OVER && !eng_may_deal(game) && eng_apply(game, &close, &out) != ENG_OK)
        BUG("a pool of one cannot be ended");
}

static void play(struct srv_simulate *sim, struct eng_game *game, uint64_t number)
{
    enum eng_bot_level levels[ENG_SEAT_MAX] = {ENG_BOT_EASY};
    uint64_t rngs[ENG_SEAT_MAX] = {0}, dealt = sim->mirrored ? number / (uint64_t)sim->players : number;
    struct eng_outcome out;
    struct eng_view view;

    for (int seat = 0; seat < sim->players; seat++) {
        levels[seat] = sim->levels[((uint64_t)seat + number) % (uint64_t)sim->players];
        rngs[seat] = sim->seed ^ (number * ENG_SEAT_MAX + (uint64_t)seat);
    }
    eng_init(game, sim->params, sim->players);
    sim->between.n = 0;
    for (uint64_t hand = 0; eng_phase(game) != ENG_SESSION_OVER; hand++) {
        ASSERT(hand < SIM_MOVES_MAX);
        struct eng_game before = *game;
        deal(sim, game, dealt, hand, &out);
        sim->throws = (struct tab_throws){0};
        count(sim, levels, &out);
        sim->played_n = 0;
        for (int moves = 0; is_played(game); moves++) {
            ASSERT(moves < SIM_MOVES_MAX);
            step(sim, game, levels, rngs, &view, &out);
        }
        count_hand(sim, game, &view);
        count_throws(sim, levels);
        if (sim->hand_over)
            sim->hand_over(sim, number, &before, game);
        rejoin(sim, game, levels);
    }
    count_game(sim, levels, game, &view);
    if (sim->mirrored && (number + 1) % (uint64_t)sim->players == 0)
        count_deal(sim);
}

void srv_simulate_run(struct srv_simulate *sim)
{
    struct eng_game game;

    ASSERT(sim->players >= 2 && sim->players <= ENG_SEAT_MAX);
    for (uint64_t number = 0; number < sim->games; number++)
        play(sim, &game, number);
}

static int at_share(const uint64_t *counts, int max, double share)
{
    uint64_t all = 0, so_far = 0;

    for (int n = 0; n <= max; n++)
        all += counts[n];
    for (int n = 0; n <= max; n++) {
        so_far += counts[n];
        if (so_far > 0 && (double)so_far >= share * (double)all)
            return n;
    }
    return 0;
}

int srv_simulate_length_at(const struct srv_simulate *sim, double share)
{
    return at_share(sim->lengths, SIM_TURNS_MAX, share);
}

int srv_simulate_hands_at(const struct srv_simulate *sim, double share)
{
    return at_share(sim->hands, SIM_HANDS_MAX, share);
}

double srv_simulate_taken_error(const struct srv_simulate_level *of)
{
    if (of->chances == 0)
        return 0;
    double n = (double)of->chances, share = (double)of->taken / n;
    double squares = (double)of->taken_squared - 2 * share * (double)of->chances_taken +
                     share * share * (double)of->chances_squared;
    return sqrt(squares > 0 ? squares : 0) / n;
}

enum eng_bot_level srv_simulate_strongest(const struct srv_simulate *sim)
{
    enum eng_bot_level strongest = ENG_BOT_EASY;

    for (int seat = 0; seat < sim->players; seat++)
        strongest = sim->levels[seat] > strongest ? sim->levels[seat] : strongest;
    return strongest;
}

double srv_simulate_strongest_wins(const struct srv_simulate *sim, double *low, double *high)
{
    const struct srv_simulate_level *of = &sim->of[srv_simulate_strongest(sim)];
    double share = of->seats ? of->won / (double)of->seats : 0;

    srv_simulate_interval(of->won, of->seats, low, high);
    if (sim->deals < 2)
        return share;
    double n = (double)sim->deals, mean = sim->deals_won / n, seats = (double)of->seats / n;
    double variance = (sim->deals_squared / n - mean * mean) / (n - 1);
    double reach = 1.96 * sqrt(variance > 0 ? variance : 0) / seats;
    *low = share > reach ? share - reach : 0;
    *high = share + reach < 1 ? share + reach : 1;
    return share;
}

void srv_simulate_interval(double hits, uint64_t of, double *low, double *high)
{
    const double z = 1.96;
    double n = (double)of, p = of ? hits / n : 0;

    *low = 0;
    *high = 1;
    if (of == 0)
        return;
    double middle = p + z * z / (2 * n), reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    *low = (middle - reach) / (1 + z * z / n);
    *high = (middle + reach) / (1 + z * z / n);
}
