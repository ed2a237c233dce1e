/* The bots: their moves are always legal, at every level, even when they take over in the middle of a turn;
 * they end games, do not use hidden cards, and win more at a higher level. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "engine/core/game.h"
#include "tests/engine/play.h"

enum { TURN_STEPS_MAX = 60, GAME_STEPS_MAX = 60000 };

static bool is_played(const struct eng_game *game)
{
    return game->phase == ENG_TO_DRAW || game->phase == ENG_TO_PLAY;
}

/* Makes one move of the bot, which must be legal; the view names its seat. */
static void bot_step(struct eng_game *game, enum eng_bot_level level, uint64_t *rng, struct eng_outcome *out)
{
    struct eng_view view;
    struct eng_move move;

    eng_view(game, game->to_move, &view);
    eng_bot_move(&view, level, rng, &move);
    cr_assert_eq(move.seat, game->to_move);
    enum eng_refusal code = eng_apply(game, &move, out);
    cr_assert_eq(code, ENG_OK, "%s: type %d, %d cards, level %d", code ? eng_refusal_name(code) : "",
                 move.type, move.n, level);
    eng_check(game);
}

/* Plays a hand; levels[] by seat. Returns the winner or ENG_NO_SEAT. */
static uint8_t bot_game(const struct eng_params *row, int players, const enum eng_bot_level *levels,
                        uint64_t number)
{
    struct eng_game game;
    struct eng_outcome out;
    uint64_t rng = number;
    int steps = 0;

    play_deal(&game, row, players, number, &out);
    for (; is_played(&game); steps++) {
        cr_assert_lt(steps, GAME_STEPS_MAX);
        bot_step(&game, levels[game.to_move], &rng, &out);
    }
    return game.winner;
}

Test(bot, plays_whole_games_legally_at_every_strength)
{
    int decided = 0, games = 0;

    for (int level = ENG_BOT_EASY; level <= ENG_BOT_STRONG; level++) {
        const enum eng_bot_level l = (enum eng_bot_level)level, levels[4] = {l, l, l, l};
        for (uint64_t i = 0; i < 240; i++, games++)
            decided += bot_game(play_row(0), 2 + (int)(i % 3), levels, i) != ENG_NO_SEAT;
    }
    cr_assert_geq(decided, games * 99 / 100, "%d of %d games ended by going out", decided, games);
}

Test(bot, plays_every_row_at_every_strength)
{
    for (int level = ENG_BOT_EASY; level <= ENG_BOT_STRONG; level++) {
        const enum eng_bot_level l = (enum eng_bot_level)level, levels[4] = {l, l, l, l};
        for (uint64_t i = 0; i < 150; i++)
            bot_game(play_row(i / 3), 2 + (int)(i % 3), levels, i);
    }
}

Test(bot, plays_with_mixed_strengths)
{
    const enum eng_bot_level levels[4] = {ENG_BOT_STRONG, ENG_BOT_EASY, ENG_BOT_MEDIUM, ENG_BOT_EASY};

    for (uint64_t i = 0; i < 150; i++)
        bot_game(play_row(0), 4, levels, 1000 + i);
}

/* A player may leave at any point: with half an opening staged, a discard taken, or a joker swapped. */
Test(bot, takes_over_at_any_point_of_a_turn)
{
    int staged = 0, obliged = 0;

    for (uint64_t i = 0; i < 200; i++) {
        struct eng_game game;
        struct eng_outcome out;
        struct eng_move move;
        uint64_t rng = i;
        enum eng_bot_level level = (enum eng_bot_level)(ENG_BOT_EASY + i % 3);

        play_deal(&game, play_row(i % 2 == 0 ? 0 : i / 2), 2 + (int)(i % 3), i, &out);
        for (int steps = 0; is_played(&game) && steps < 3000; steps++) {
            if (play_below(&rng, 6) != 0) {
                play_propose(&game, &rng, &move);
                (void)eng_apply(&game, &move, &out);
                continue;
            }
            staged += game.staged_sum > 0;
            obliged += game.must_open;
            uint8_t seat = game.to_move;
            uint16_t turns = game.turns[seat];
            for (int k = 0; is_played(&game) && game.turns[seat] == turns; k++) {
                cr_assert_lt(k, TURN_STEPS_MAX, "an endless turn");
                bot_step(&game, level, &rng, &out);
            }
        }
    }
    cr_assert(staged > 50 && obliged > 50, "%d staged, %d obliged", staged, obliged);
}

Test(bot, does_not_use_hidden_cards)
{
    struct eng_outcome out;

    for (uint64_t i = 0; i < 60; i++) {
        struct eng_game game;
        uint64_t rng = i, hidden = ~i;
        enum eng_bot_level level = (enum eng_bot_level)(ENG_BOT_EASY + i % 3);

        play_deal(&game, eng_params_find("rummy51"), 2 + (int)(i % 3), 5000 + i, &out);
        while (is_played(&game)) {
            struct eng_game other = game;
            struct eng_view view;
            struct eng_move here, there;
            uint64_t rng_here = rng, rng_there = rng;
            play_shuffle_hidden(&other, game.to_move, &hidden);
            eng_check(&other);
            eng_view(&game, game.to_move, &view);
            eng_bot_move(&view, level, &rng_here, &here);
            eng_view(&other, game.to_move, &view);
            eng_bot_move(&view, level, &rng_there, &there);
            cr_assert_arr_eq(&here, &there, sizeof here);
            cr_assert_eq(rng_here, rng_there);
            rng = rng_here;
            cr_assert_eq(eng_apply(&game, &here, &out), ENG_OK);
        }
    }
}

/* Fraction of decided two-player games that `a` wins against `b`, equally often in each seat; fixed deals. */
static double share_of_wins(enum eng_bot_level a, enum eng_bot_level b, int games)
{
    int wins = 0, decided = 0;

    for (uint64_t i = 0; i < (uint64_t)games; i++) {
        enum eng_bot_level levels[2] = {i & 1 ? b : a, i & 1 ? a : b};
        uint8_t winner = bot_game(play_row(0), 2, levels, 9000 + i);
        decided += winner != ENG_NO_SEAT;
        wins += winner != ENG_NO_SEAT && levels[winner] == a;
    }
    cr_assert_gt(decided, games * 9 / 10);
    return (double)wins / decided;
}

Test(bot, stronger_bots_win_more_often)
{
    const int games = 300;
    const double reach = 1.96 * sqrt(0.25 / games); /* half the width of a 95 % interval, at most */
    double strong_easy = share_of_wins(ENG_BOT_STRONG, ENG_BOT_EASY, games);
    double strong_medium = share_of_wins(ENG_BOT_STRONG, ENG_BOT_MEDIUM, games);
    double medium_easy = share_of_wins(ENG_BOT_MEDIUM, ENG_BOT_EASY, games);

    cr_assert_gt(strong_easy - reach, 0.6, "strong against easy: %.3f", strong_easy);
    cr_assert_gt(strong_medium - reach, 0.5, "strong against medium: %.3f", strong_medium);
    cr_assert_gt(medium_easy - reach, 0.5, "medium against easy: %.3f", medium_easy);
}
