/* What a seat sees, as members of a snapshot. */
#include "engine/core/game.h"
#include "tests/engine/play.h"
#include "tests/wire/frame.h"
#include "wire/game.h"

#include <criterion/criterion.h>
#include <string.h>

static void session(struct buf *out, const void *what)
{
    wire_view_session(out, what);
}
static void table(struct buf *out, const void *what)
{
    wire_view_table(out, what);
}
static void seats(struct buf *out, const void *what)
{
    const struct eng_view *view = what;
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t seat = 0; seat < view->players; seat++) {
        json_open(out, '{');
        wire_view_seat(out, view, seat);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static int number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    cr_assert(json_is_integer(value), "%s", name);
    return (int)json_integer_value(value);
}

/* Checks that a list consists of exactly these cards. */
static void expect_cards(const json_t *object, const char *name, const uint8_t *cards, size_t n)
{
    const json_t *list = json_object_get(object, name);
    cr_assert_eq(json_array_size(list), n, "%s", name);
    for (size_t i = 0; i < n; i++) {
        const char *card = json_string_value(json_array_get(list, i));
        cr_assert_eq(eng_card_parse(card, strlen(card)), cards[i], "%s", name);
    }
}

static void check_table(const struct eng_view *view)
{
    json_t *root = frame_read(table, view, true), *melds = json_object_get(root, "melds");
    const json_t *turn = json_object_get(root, "turn");
    expect_cards(root, "hand", view->hand, view->hand_n);
    expect_cards(root, "discard", view->discard, view->discard_n);
    cr_assert_eq(number(root, "stock_n"), view->stock_n);
    cr_assert_eq(json_array_size(melds), view->melds_n);
    for (int i = 0; i < view->melds_n; i++) {
        const json_t *meld = json_array_get(melds, (size_t)i);
        expect_cards(meld, "cards", view->melds[i].cards, view->melds[i].n);
        cr_assert(number(meld, "id") == view->melds[i].id && number(meld, "owner") == view->melds[i].owner &&
                  number(meld, "low") == view->melds[i].low);
        cr_assert_eq(json_is_null(json_object_get(meld, "suit")), view->melds[i].kind == ENG_SET);
    }
    cr_assert_eq(json_is_true(json_object_get(turn, "drew")), view->drew);
    cr_assert_eq(json_is_null(json_object_get(turn, "drawn")), view->drawn_card == ENG_NO_CARD);
    cr_assert_eq(number(turn, "staged_sum"), view->staged_sum);
    cr_assert_eq(json_is_null(json_object_get(root, "wild")),
                 view->params->family != ENG_FAMILY_DECLARE || view->wild_card == ENG_NO_CARD);
    json_decref(root);
}

static void check_session(const struct eng_view *view)
{
    json_t *root = frame_read(session, view, true);
    const json_t *params = json_object_get(root, "params");
    cr_assert_str_eq(json_string_value(json_object_get(root, "variant")), view->params->variant);
    cr_assert_eq(json_object_size(params), ENG_PARAM_COUNT);
    for (int field = 0; field < ENG_PARAM_COUNT; field++)
        cr_assert_eq(number(params, eng_param_fields[field].name), eng_param_get(view->params, field));
    cr_assert_eq(json_array_size(json_object_get(root, "totals")), view->players);
    cr_assert_eq(json_is_null(json_object_get(root, "me")), view->viewer == ENG_SPECTATOR);
    bool running = view->phase == ENG_TO_DRAW || view->phase == ENG_TO_PLAY;
    cr_assert_eq(json_is_integer(json_object_get(root, "to_move")), running);
    json_decref(root);

    root = frame_read(seats, view, true);
    for (uint8_t seat = 0; seat < view->players; seat++) {
        const json_t *one = json_array_get(json_object_get(root, "seats"), seat);
        cr_assert(number(one, "cards_n") == view->cards_n[seat] &&
                  number(one, "points") == view->points[seat] && number(one, "round") == view->round[seat]);
        cr_assert_eq(json_is_true(json_object_get(one, "opened")), view->opened[seat]);
    }
    json_decref(root);
}

Test(view, matches_the_engine_for_each_viewer_of_random_hands)
{
    uint64_t rng = 5;
    for (size_t row = 0; eng_params_at(row); row++) {
        struct eng_game game;
        static struct eng_outcome out;
        static struct eng_view view;
        play_deal(&game, eng_params_at(row), 2, row, &out);
        for (int i = 0; i < 200 && eng_seat_to_move(&game) != ENG_NO_SEAT; i++) {
            struct eng_move move;
            for (uint8_t viewer = 0; i % 5 == 0 && viewer < 3; viewer++) {
                eng_view(&game, viewer < 2 ? viewer : ENG_SPECTATOR, &view);
                check_session(&view);
                check_table(&view);
            }
            if (game.params.family == ENG_FAMILY_DECLARE)
                play_well(&game, &rng, &move);
            else
                play_propose(&game, &rng, &move);
            eng_apply(&game, &move, &out);
        }
    }
}

/* A view that no game reaches, with all values at their maximum. */
Test(view, the_largest_view_fits_a_frame)
{
    static struct eng_view view;
    struct eng_game game;
    static struct eng_outcome out;
    play_deal(&game, eng_params_find("points"), 6, 1, &out);
    eng_view(&game, 0, &view);
    view.hand_n = ENG_HAND_MAX;
    view.discard_n = ENG_CARD_MAX;
    view.melds_n = ENG_MELD_MAX;
    for (int i = 0; i < ENG_MELD_MAX; i++)
        view.melds[i] = (struct eng_view_meld){
            .id = 35, .kind = ENG_RUN, .owner = 5, .low = 13, .suit = 3, .n = ENG_RUN_MAX};
    memset(view.freed_meld, 35, sizeof(view.freed_meld));
    for (int i = 0; i < ENG_SEAT_MAX; i++)
        view.dropped[i] = view.wrong[i] = view.sat_out[i] = view.eliminated[i] = view.to_group[i] = true;
    view.grouping[0] = (struct eng_view_grouping){.n = ENG_HAND_MAX, .groups = 4, .lens = {4, 4, 4, 3}};
    view.rejoin_total = INT32_MIN;
    view.staged_sum = view.opening_min = UINT16_MAX;
    json_t *root = frame_read(table, &view, true);
    cr_assert_eq(json_array_size(json_object_get(root, "melds")), ENG_MELD_MAX);
    cr_assert_eq(json_array_size(json_object_get(json_object_get(root, "turn"), "freed")),
                 ENG_CARD_MAX - ENG_JOKER_FIRST);
    json_decref(root);
}

/* The name of a variant comes from an operator's file or from the database, so it is escaped like any
 * text. */
Test(view, names_are_escaped)
{
    struct eng_game game;
    static struct eng_outcome out;
    static struct eng_view view;
    struct eng_params row = *eng_params_find("rummy51");
    play_deal(&game, &row, 2, 1, &out);
    eng_view(&game, 0, &view);
    static const char odd[] = "a\"\\\n\x01</b";
    memcpy(row.variant, odd, sizeof(odd));
    view.params = &row;
    json_t *root = frame_read(session, &view, true);
    cr_assert_str_eq(json_string_value(json_object_get(root, "variant")), odd);
    json_decref(root);
}
