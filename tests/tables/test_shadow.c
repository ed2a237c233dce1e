/* The delayed game for spectators. */
#include "tables/shadow.h"

#include <criterion/criterion.h>
#include <string.h>

#include "engine/core/game.h"

enum { MOVES = 40, DELAY_MS = 5000 };

static struct eng_game game;
static struct eng_move moves[MOVES];
static struct tab_move_log made;
static const struct tab_move_log none;
static uint64_t hashes[MOVES + 1]; /* after each number of moves */

/* A hand of four bots, dealt and not yet played; its first moves, and the game after each. */
static void play_hand(struct eng_game *dealt)
{
    const uint8_t key[ENG_KEY_BYTES] = {7};
    struct eng_outcome out;
    uint64_t rng = 7;
    eng_init(&game, eng_params_find("rummy51"), 4);
    eng_deal(&game, key, &out);
    *dealt = game;
    hashes[0] = eng_hash(&game);
    for (int i = 0; i < MOVES; i++) {
        struct eng_view view;
        uint8_t seat = eng_seat_to_move(&game);
        eng_view(&game, seat, &view);
        eng_bot_move(&view, ENG_BOT_MEDIUM, &rng, &moves[i]);
        moves[i].seat = seat;
        cr_assert(tab_move_log_put(&made, &moves[i]));
        cr_assert_eq(eng_apply(&game, &moves[i], &out), ENG_OK);
        hashes[i + 1] = eng_hash(&game);
    }
}

Test(shadow, makes_each_move_once_it_is_old_enough)
{
    struct tab_shadow shadow = {0};
    struct eng_game dealt;
    int64_t next;
    play_hand(&dealt);
    cr_assert(tab_shadow_start(&shadow, &dealt, &none));
    cr_assert(!tab_shadow_next(&shadow, &next));
    for (uint32_t i = 0; i < MOVES; i++)
        cr_assert(tab_shadow_note(&shadow, i + 1, 1000 * (i + 1)));
    for (int64_t now = DELAY_MS; now <= 1000 * MOVES + DELAY_MS; now += 500) {
        tab_shadow_move(&shadow, &made, now - DELAY_MS);
        size_t n = (size_t)(now - DELAY_MS) / 1000;
        cr_assert_eq(eng_hash(shadow.game), hashes[n], "%zu moves are old enough", n);
        cr_assert_eq(tab_shadow_next(&shadow, &next), n < MOVES);
        cr_assert(n == MOVES || next == 1000 * ((int64_t)n + 1));
    }
    tab_shadow_free(&shadow);
    tab_move_log_free(&made);
    cr_assert_null(shadow.game);
}

Test(shadow, equals_the_game_when_the_hand_is_over)
{
    struct tab_shadow shadow = {0};
    struct eng_game dealt;
    int64_t next;
    play_hand(&dealt);
    cr_assert(tab_shadow_start(&shadow, &dealt, &none));
    cr_assert(tab_shadow_note(&shadow, MOVES, 1000));
    tab_shadow_catch_up(&shadow, &game);
    cr_assert_eq(eng_hash(shadow.game), hashes[MOVES]);
    cr_assert(!tab_shadow_next(&shadow, &next));
    tab_shadow_move(&shadow, &made, INT64_MAX);
    cr_assert_eq(eng_hash(shadow.game), hashes[MOVES], "no move is made twice");
    tab_shadow_free(&shadow);
    tab_move_log_free(&made);
}

Test(shadow, can_start_in_the_middle_of_a_hand)
{
    struct tab_shadow shadow = {0};
    struct eng_game dealt;
    struct eng_outcome out;
    play_hand(&dealt);
    struct tab_move_log ten = {0};
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(eng_apply(&dealt, &moves[i], &out), ENG_OK);
        cr_assert(tab_move_log_put(&ten, &moves[i]));
    }
    cr_assert(tab_shadow_start(&shadow, &dealt, &ten));
    tab_move_log_free(&ten);
    cr_assert(tab_shadow_note(&shadow, 12, 1000));
    tab_shadow_move(&shadow, &made, 999);
    cr_assert_eq(eng_hash(shadow.game), hashes[10]);
    tab_shadow_move(&shadow, &made, 1000);
    cr_assert_eq(eng_hash(shadow.game), hashes[12]);
    tab_shadow_free(&shadow);
    tab_move_log_free(&made);
}
