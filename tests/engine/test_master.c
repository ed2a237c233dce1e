/* The master: the deals it imagines are consistent with what its seat sees; its moves are legal and do not
 * depend on hidden cards; its budget ends its search; it finds the better move. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/bots/master.h"
#include "tests/engine/play.h"

static struct eng_master master;

static bool is_played(const struct eng_game *game)
{
    return game->phase == ENG_TO_DRAW || game->phase == ENG_TO_PLAY;
}

/* It does not imagine deals in the middle of an opening or a swap. */
static bool may_use(const struct eng_view *view)
{
    return view->staged_sum == 0 && view->freed_jokers == 0;
}

/* A move at this level for the seat to move; the seats in `masters` search. */
static void step(struct eng_game *game, unsigned masters, uint64_t *rng)
{
    struct eng_view view;
    struct eng_move move;
    struct eng_outcome out;

    eng_view(game, game->to_move, &view);
    if ((masters >> game->to_move & 1) != 0)
        eng_master_move(&view, &master, rng, &move);
    else
        eng_bot_move(&view, ENG_BOT_STRONG, rng, &move);
    cr_assert_eq(eng_apply(game, &move, &out), ENG_OK, "%s: move %d", game->params.variant, move.type);
    eng_check(game);
}

/* The imagined game passes every check, and the seat's view of it is unchanged, so all public information
 * is preserved. */
static void imagines(const struct eng_game *game, uint64_t *rng)
{
    struct eng_view view, again;

    eng_view(game, game->to_move, &view);
    if (!may_use(&view))
        return;
    eng_master_set_view(&master, &view);
    eng_master_imagine(&master, &view, rng);
    eng_check(&master.imagined);
    eng_view(&master.imagined, game->to_move, &again);
    again.v = view.v;
    again.params = view.params;
    cr_assert_arr_eq(&again, &view, sizeof view, "%s", game->params.variant);
}

Test(master, imagines_positions_consistent_with_its_view)
{
    struct eng_outcome out;

    for (uint64_t i = 0; i < 200; i++) {
        struct eng_game game;
        uint64_t rng = i;
        play_deal(&game, eng_params_at(i % 10), 2 + (int)(i % 3), i, &out);
        while (is_played(&game)) {
            imagines(&game, &rng);
            step(&game, 0, &rng);
        }
    }
}

Test(master, plays_every_row_legally_and_limits_its_search)
{
    struct eng_outcome out;
    int deals_max = 0, steps_max = 0, broken_off = 0;

    for (uint64_t i = 0; i < 10; i++) {
        struct eng_game game;
        uint64_t rng = i;
        play_deal(&game, eng_params_at(i), 2 + (int)(i % 2) * 2, i, &out);
        while (is_played(&game)) {
            master.deals = master.steps = master.broken_off = 0;
            step(&game, 1, &rng);
            deals_max += master.deals == MASTER_DEALS_MAX;
            steps_max += master.steps >= MASTER_STEPS_MAX;
            broken_off += master.broken_off;
            cr_assert_leq(master.deals, MASTER_DEALS_MAX);
            cr_assert_lt(master.steps, MASTER_STEPS_MAX + MASTER_CHOICES_MAX * MASTER_PLAYED_MAX);
        }
    }
    cr_assert(deals_max > 0 && steps_max > 0 && broken_off > 0, "%d, %d, %d", deals_max, steps_max,
              broken_off);
}

Test(master, does_not_use_hidden_cards)
{
    static struct eng_master other_master;
    struct eng_outcome out;
    int overruled = 0;

    for (uint64_t i = 0; i < 10; i++) {
        struct eng_game game;
        uint64_t rng = i, hidden = ~i;
        play_deal(&game, eng_params_at(i), 2 + (int)(i % 3), 5000 + i, &out);
        for (int moves = 0; is_played(&game) && moves < 24; moves++) {
            struct eng_game other = game;
            struct eng_view view;
            struct eng_move here, there, strong;
            uint64_t rng_here = rng, rng_there = rng, rng_strong = rng;
            play_shuffle_hidden(&other, game.to_move, &hidden);
            eng_view(&game, game.to_move, &view);
            eng_bot_move(&view, ENG_BOT_STRONG, &rng_strong, &strong);
            eng_master_move(&view, &master, &rng_here, &here);
            memset(&other_master, (int)play_below(&hidden, 256), sizeof other_master);
            eng_view(&other, game.to_move, &view);
            eng_master_move(&view, &other_master, &rng_there, &there);
            cr_assert_arr_eq(&here, &there, sizeof here);
            cr_assert_eq(rng_here, rng_there);
            overruled += memcmp(&here, &strong, sizeof here) != 0;
            rng = rng_here;
            cr_assert_eq(eng_apply(&game, &here, &out), ENG_OK);
        }
    }
    cr_assert_gt(overruled, 5, "it thinks otherwise than a strong bot %d times", overruled);
}

/* Winning has the highest value, and of two losers the one with the better total has the higher value. */
Test(master, values_a_win_most_and_a_better_total_more)
{
    struct eng_game game;

    for (uint64_t i = 0; i < 10; i++) {
        const struct eng_params *row = eng_params_at(i);
        eng_init(&game, row, 2);
        game.hand_no = 1;
        game.phase = ENG_HAND_OVER;
        cr_assert_eq(eng_master_worth(&game, 0), MASTER_WORTH_MAX / 2);
        game.points[0] += row->best_high ? 30 : -30;
        int better = eng_master_worth(&game, 0);
        cr_assert_gt(better, MASTER_WORTH_MAX / 2, "%s", row->variant);
        cr_assert_eq(better + eng_master_worth(&game, 1), MASTER_WORTH_MAX);
        game.points[0] += row->best_high ? 60 : -60;
        cr_assert_gt(eng_master_worth(&game, 0), better);
        cr_assert_leq(eng_master_worth(&game, 0), MASTER_WORTH_MAX);
    }
}
