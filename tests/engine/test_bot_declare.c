/* The bots of the declare family: their moves are always legal, at every level, in whole sessions of every
 * variant; they declare only valid hands, drop only where that is allowed and useful, rejoin pools, do not
 * use hidden cards, and win more at a higher level. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/core/game.h"
#include "tests/engine/play.h"

static const char *const variants[] = {"points", "pool101", "pool201", "deals2", "deals3"};

struct counted {
    int hands, declared, wrong, drops, rejoins, took_open, grouped;
};

static bool is_played(const struct eng_game *game)
{
    return game->phase == ENG_TO_DRAW || game->phase == ENG_TO_PLAY || game->phase == ENG_TO_GROUP;
}

static uint8_t seat_of(const struct eng_game *game)
{
    uint8_t seat = 0;

    if (game->phase != ENG_TO_GROUP)
        return game->to_move;
    while (!eng_seat_to_group(game, seat))
        seat++;
    return seat;
}

static void count(struct counted *c, const struct eng_view *view, const struct eng_move *move,
                  const struct eng_outcome *out)
{
    c->took_open += move->type == ENG_DRAW_DISCARD;
    c->drops += move->type == ENG_DROP;
    c->grouped += move->type == ENG_GROUP;
    c->declared += move->type == ENG_DECLARE;
    for (int i = 0; i < out->events_n; i++)
        c->wrong += out->events[i].type == ENG_EV_DECLARED && out->events[i].declared.refusal != ENG_OK;
    if (move->type == ENG_DROP && view->params->pool) /* a drop never eliminates the bot from the pool */
        cr_assert_lt(view->points[view->viewer] + view->drop_points, view->params->target);
}

static void bot_step(struct eng_game *game, const enum eng_bot_level *levels, uint64_t *rng,
                     struct counted *c)
{
    struct eng_outcome out;
    struct eng_view view;
    struct eng_move move;
    uint8_t seat = seat_of(game);

    eng_view(game, seat, &view);
    eng_bot_move(&view, levels[seat], rng, &move);
    cr_assert_eq(move.seat, seat);
    enum eng_refusal code = eng_apply(game, &move, &out);
    cr_assert_eq(code, ENG_OK, "%s: type %d, level %d", code ? eng_refusal_name(code) : "", move.type,
                 levels[seat]);
    eng_check(game);
    count(c, &view, &move, &out);
}

static void rejoin(struct eng_game *game, const enum eng_bot_level *levels, struct counted *c)
{
    for (uint8_t seat = 0; seat < game->players && game->phase == ENG_HAND_OVER; seat++) {
        const struct eng_move move = {.type = ENG_REJOIN, .seat = seat, .meld = ENG_NO_MELD};
        struct eng_outcome out;
        struct eng_view view;
        eng_view(game, seat, &view);
        if (!eng_bot_rejoins(&view, levels[seat]))
            continue;
        cr_assert_eq(eng_apply(game, &move, &out), ENG_OK);
        c->rejoins++;
    }
    const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
    struct eng_outcome out;
    if (game->phase == ENG_HAND_OVER && !eng_may_deal(game))
        cr_assert_eq(eng_apply(game, &close, &out), ENG_OK);
}

/* Plays a whole session; levels[] by seat. Returns one bit per winner. */
static uint8_t session(const char *variant, int players, const enum eng_bot_level *levels, uint64_t number,
                       struct counted *c)
{
    struct eng_game game;
    struct eng_outcome out;
    struct eng_view view;
    uint64_t rng = number;

    eng_init(&game, eng_params_find(variant), players);
    for (uint64_t hand = 0; game.phase != ENG_SESSION_OVER; hand++, c->hands++) {
        uint8_t key[ENG_KEY_BYTES] = {0};
        memcpy(key, &number, sizeof number);
        memcpy(key + sizeof number, &hand, sizeof hand);
        eng_deal(&game, key, &out);
        for (int steps = 0; is_played(&game); steps++) {
            cr_assert_lt(steps, 3000, "an endless hand");
            bot_step(&game, levels, &rng, c);
        }
        rejoin(&game, levels, c);
    }
    eng_view(&game, ENG_SPECTATOR, &view);
    return view.winners;
}

Test(bot_declare, plays_whole_sessions_of_every_variant_at_every_strength)
{
    struct counted of[ENG_BOT_STRONG + 1] = {{0}};

    for (int level = ENG_BOT_EASY; level <= ENG_BOT_STRONG; level++) {
        const enum eng_bot_level l = (enum eng_bot_level)level, levels[6] = {l, l, l, l, l, l};
        for (uint64_t i = 0; i < 60; i++)
            cr_assert_neq(session(variants[i % 5], 2 + (int)(i / 5 % 5), levels, i, &of[level]), 0,
                          "%s %d %d", variants[i % 5], (int)(2 + i / 5 % 5), level);
        const struct counted *c = &of[level];
        cr_assert(c->wrong == 0 && c->took_open > c->hands && c->grouped > 0);
        cr_assert_gt(c->declared, c->hands * 4 / 5, "%d of %d hands were declared", c->declared, c->hands);
        cr_assert_gt(c->rejoins, 0);
    }
    cr_assert(of[ENG_BOT_EASY].drops == 0 && of[ENG_BOT_MEDIUM].drops == 0 && of[ENG_BOT_STRONG].drops > 0);
}

/* A hand without a pair that could become a sequence, without a joker, and with many points: the strong bot
 * drops it where that is allowed, and otherwise plays it. */
Test(bot_declare, strong_bots_drop_hopeless_hands)
{
    static const char *const names[] = {"KH1", "QS1", "JC1", "TD1", "9C1", "8H1", "8S1",
                                        "6S1", "6D1", "5C1", "3S1", "AD1", "AC1"};
    struct counted c = {0};

    for (int i = 0; i < 2; i++) {
        struct eng_view view;
        struct eng_game game;
        struct eng_outcome out;
        struct eng_move move;
        uint64_t rng = 1;
        play_deal(&game, eng_params_find(i == 0 ? "points" : "deals2"), 6, 7, &out);
        eng_view(&game, game.to_move, &view);
        view.wild_card = eng_card_parse("2D1", 3);
        view.wild_rank = 1;
        for (int k = 0; k < view.hand_n; k++)
            view.hand[k] = eng_card_parse(names[k], 3);
        view.discard_n = 1;
        view.discard[0] = eng_card_parse("4H1", 3);
        eng_bot_move(&view, ENG_BOT_STRONG, &rng, &move);
        cr_assert_eq(move.type, i == 0 ? ENG_DROP : ENG_DRAW_STOCK, "%s: %d", view.params->variant,
                     move.type);
        eng_bot_move(&view, ENG_BOT_EASY, &rng, &move);
        cr_assert_neq(move.type, ENG_DROP);
        c.drops++;
    }
    cr_assert_eq(c.drops, 2);
}

Test(bot_declare, does_not_use_hidden_cards)
{
    for (uint64_t i = 0; i < 30; i++) {
        struct eng_game game;
        struct eng_outcome out;
        uint64_t rng = i, hidden = ~i;
        enum eng_bot_level level = (enum eng_bot_level)(ENG_BOT_EASY + i % 3);

        play_deal(&game, eng_params_find(variants[i % 5]), 2 + (int)(i % 3), 5000 + i, &out);
        while (is_played(&game)) {
            struct eng_game other = game;
            struct eng_view view;
            struct eng_move here, there;
            uint8_t seat = seat_of(&game);
            uint64_t rng_here = rng, rng_there = rng;
            play_shuffle_hidden(&other, seat, &hidden);
            eng_check(&other);
            eng_view(&game, seat, &view);
            eng_bot_move(&view, level, &rng_here, &here);
            eng_view(&other, seat, &view);
            eng_bot_move(&view, level, &rng_there, &there);
            cr_assert_arr_eq(&here, &there, sizeof here);
            cr_assert_eq(rng_here, rng_there);
            rng = rng_here;
            cr_assert_eq(eng_apply(&game, &here, &out), ENG_OK);
        }
    }
}

/* Fraction of two-player sessions won, equally often in each seat, with fixed deals. */
static double share_of_wins(const char *variant, enum eng_bot_level a, enum eng_bot_level b, int sessions)
{
    struct counted c = {0};
    double wins = 0;

    for (uint64_t i = 0; i < (uint64_t)sessions; i++) {
        enum eng_bot_level levels[2] = {i & 1 ? b : a, i & 1 ? a : b};
        uint8_t winners = session(variant, 2, levels, 9000 + i / 2, &c);
        wins += winners == 3 ? 0.5 : winners == (i & 1 ? 2 : 1);
    }
    return wins / sessions;
}

Test(bot_declare, stronger_bots_win_more_often)
{
    for (size_t i = 0; i < ARRAY_LEN(variants); i++) {
        double strong = share_of_wins(variants[i], ENG_BOT_STRONG, ENG_BOT_EASY, 100);
        cr_assert_gt(strong, 0.6, "%s, strong against easy: %.3f", variants[i], strong);
    }
    double strong_medium = share_of_wins("pool201", ENG_BOT_STRONG, ENG_BOT_MEDIUM, 100);
    double medium_easy = share_of_wins("pool201", ENG_BOT_MEDIUM, ENG_BOT_EASY, 100);
    cr_assert_gt(strong_medium, 0.5, "strong against medium: %.3f", strong_medium);
    cr_assert_gt(medium_easy, 0.5, "medium against easy: %.3f", medium_easy);
}
