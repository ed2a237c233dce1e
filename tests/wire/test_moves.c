/* Moves as the commands that make them, and legal moves: parsed by a separate parser in this test. */
#include "engine/core/game.h"
#include "tests/engine/play.h"
#include "tests/wire/frame.h"
#include "wire/frames.h"
#include "wire/game.h"

#include <criterion/criterion.h>
#include <string.h>

static void move_frame(struct buf *out, const void *what)
{
    wire_move(out, what);
}

enum { CARD_5H = 30, CARD_6H, CARD_7H, JOKER = 104 };
#define HEARTS .n = 3, .cards = {CARD_5H, CARD_6H, CARD_7H}

static const struct {
    struct eng_move move;
    const char *text;
} moves[] = {
    {{.type = ENG_DRAW_STOCK}, "{\"t\":\"draw\",\"d\":{\"from\":\"stock\"}}"},
    {{.type = ENG_DRAW_DISCARD}, "{\"t\":\"draw\",\"d\":{\"from\":\"discard\"}}"},
    {{.type = ENG_CANCEL_DRAW}, "{\"t\":\"cancel_draw\",\"d\":{}}"},
    {{.type = ENG_MELD, HEARTS}, "{\"t\":\"meld\",\"d\":{\"cards\":[\"5H1\",\"6H1\",\"7H1\"]}}"},
    {{.type = ENG_TAKE_BACK, .meld = 0}, "{\"t\":\"take_back\",\"d\":{\"meld\":0}}"},
    {{.type = ENG_TAKE_BACK, .meld = ENG_NO_MELD}, "{\"t\":\"take_back\",\"d\":{}}"},
    {{.type = ENG_LAY_OFF, .meld = 35, .n = 1, .cards = {CARD_5H}, .end = ENG_END_HIGH},
     "{\"t\":\"lay_off\",\"d\":{\"card\":\"5H1\",\"meld\":35,\"end\":\"high\"}}"},
    {{.type = ENG_LAY_OFF, .meld = 35, .n = 1, .cards = {CARD_5H}},
     "{\"t\":\"lay_off\",\"d\":{\"card\":\"5H1\",\"meld\":35}}"},
    {{.type = ENG_SWAP, .meld = 1, .n = 2, .cards = {CARD_5H, JOKER}},
     "{\"t\":\"swap\",\"d\":{\"card\":\"5H1\",\"meld\":1,\"joker\":\"X1\"}}"},
    {{.type = ENG_SWAP, .meld = 1, .n = 1, .cards = {CARD_5H}},
     "{\"t\":\"swap\",\"d\":{\"card\":\"5H1\",\"meld\":1}}"},
    {{.type = ENG_DISCARD, .n = 2, .cards = {JOKER, CARD_5H}},
     "{\"t\":\"discard\",\"d\":{\"cards\":[\"X1\",\"5H1\"]}}"},
    {{.type = ENG_LEAVE}, "{\"t\":\"leave\",\"d\":{}}"},
    {{.type = ENG_RETURN}, "{\"t\":\"return\",\"d\":{}}"},
    {{.type = ENG_FLIP}, "{\"t\":\"flip\",\"d\":{}}"},
    {{.type = ENG_DECLARE, .n = 4, .cards = {CARD_5H, CARD_6H, CARD_7H, JOKER}, .groups = 1, .lens = {3}},
     "{\"t\":\"declare\",\"d\":{\"groups\":[[\"5H1\",\"6H1\",\"7H1\"]],\"finish\":\"X1\"}}"},
    {{.type = ENG_DECLARE, .n = 1, .cards = {JOKER}},
     "{\"t\":\"declare\",\"d\":{\"groups\":[],\"finish\":\"X1\"}}"},
    {{.type = ENG_GROUP, HEARTS, .groups = 1, .lens = {3}},
     "{\"t\":\"group\",\"d\":{\"groups\":[[\"5H1\",\"6H1\",\"7H1\"]]}}"},
    {{.type = ENG_GROUP, HEARTS, .groups = 1, .lens = {3}, .end = 1},
     "{\"t\":\"group\",\"d\":{\"groups\":[[\"5H1\",\"6H1\",\"7H1\"]],\"done\":true}}"},
    {{.type = ENG_GROUP, HEARTS}, "{\"t\":\"group\",\"d\":{\"groups\":[]}}"},
    {{.type = ENG_DROP}, "{\"t\":\"drop\",\"d\":{}}"},
    {{.type = ENG_REJOIN}, "{\"t\":\"rejoin\",\"d\":{}}"},
    {{.type = ENG_TIME_OUT}, "{\"t\":\"time_out\",\"d\":{}}"},
    {{.type = ENG_CLOSE}, "{\"t\":\"close\",\"d\":{}}"},
};

Test(moves, each_kind_is_written)
{
    bool known[ENG_MOVE_TYPE_END] = {false};
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        known[moves[i].move.type] = true;
        cr_expect_str_eq(frame_of(move_frame, &moves[i].move, false), moves[i].text);
    }
    for (int type = 1; type < ENG_MOVE_TYPE_END; type++)
        cr_expect(known[type], "%s is not here", wire_move_name((uint8_t)type));
}

/* --- a command parser that fails on anything unknown --- */

static uint8_t read_card(const json_t *value)
{
    const char *name = json_string_value(value);
    cr_assert_not_null(name);
    uint8_t card = eng_card_parse(name, strlen(name));
    cr_assert_neq(card, ENG_NO_CARD, "%s", name);
    return card;
}

static void add_cards(struct eng_move *move, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        move->cards[move->n++] = read_card(json_array_get(list, i));
}

static uint8_t type_named(const char *name, const char *from)
{
    for (uint8_t type = 1; type < ENG_MOVE_TYPE_END; type++)
        if (strcmp(wire_move_name(type), name) == 0)
            return type == ENG_DRAW_STOCK && strcmp(from, "discard") == 0 ? ENG_DRAW_DISCARD : type;
    cr_assert_fail("%s", name);
    return 0;
}

static void read_move(const json_t *value, uint8_t seat, struct eng_move *move)
{
    const json_t *d = json_object_get(value, "d"), *member;
    const char *from = json_string_value(json_object_get(d, "from"));
    const char *end = json_string_value(json_object_get(d, "end"));
    const json_t *groups = json_object_get(d, "groups");
    cr_assert_eq(json_object_size(value), 2);
    *move = (struct eng_move){.seat = seat};
    move->type = type_named(json_string_value(json_object_get(value, "t")), from ? from : "");
    move->meld = (uint8_t)((member = json_object_get(d, "meld")) ? json_integer_value(member) : ENG_NO_MELD);
    move->end = !end ? ENG_END_NONE : strcmp(end, "low") == 0 ? ENG_END_LOW : ENG_END_HIGH;
    add_cards(move, json_object_get(d, "cards"));
    if ((member = json_object_get(d, "card")))
        move->cards[move->n++] = read_card(member);
    if ((member = json_object_get(d, "joker")))
        move->cards[move->n++] = read_card(member);
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        move->lens[move->groups++] = (uint8_t)json_array_size(group);
        add_cards(move, group);
    }
    if ((member = json_object_get(d, "finish")))
        move->cards[move->n++] = read_card(member);
    if (json_is_true(json_object_get(d, "done")))
        move->end = 1;
}

/* Takes values as in the text; omitted ones count as absent. */
static struct eng_move as_written(const struct eng_move *move)
{
    struct eng_move it = *move;
    if (it.type != ENG_TAKE_BACK && it.type != ENG_LAY_OFF && it.type != ENG_SWAP)
        it.meld = ENG_NO_MELD;
    return it;
}

static void expect_same(const json_t *value, const struct eng_move *move)
{
    struct eng_move wanted = as_written(move), found;
    char *text = json_dumps(value, JSON_COMPACT);
    read_move(value, move->seat, &found);
    cr_assert(wanted.type == found.type && wanted.meld == found.meld && wanted.end == found.end &&
                  wanted.n == found.n && memcmp(wanted.cards, found.cards, found.n) == 0,
              "%s", text);
    free(text);
}

static void legal_members(struct buf *out, const void *what)
{
    wire_legal(out, what, false);
}
static void legal_members_with_hints(struct buf *out, const void *what)
{
    wire_legal(out, what, true);
}

/* The moves of `legal` are the engine's moves except for melds; its types are the names of the engine's
 * bits, and the first moves, as a seat would send them, are accepted. */
static void check_legal(const struct eng_game *game, uint8_t seat)
{
    static struct eng_view view;
    static struct eng_legal legal;
    eng_view(game, seat, &view);
    eng_legal(&view, &legal);
    json_t *root = frame_read(legal_members, &view, true), *list = json_object_get(root, "moves"), *type;
    size_t at = 0, i;
    uint32_t types = 0;
    for (int k = 0; k < legal.n; k++)
        if (legal.moves[k].type != ENG_MELD)
            expect_same(json_array_get(list, at++), &legal.moves[k]);
    cr_assert_eq(json_array_size(list), at);
    json_array_foreach(json_object_get(root, "types"), i, type)
    {
        uint32_t bit = 1u << type_named(json_string_value(type), "");
        cr_assert_not(types & bit, "a type appears twice");
        types |= bit;
    }
    const uint32_t draws = 1u << ENG_DRAW_STOCK | 1u << ENG_DRAW_DISCARD;
    cr_assert_eq(types & ~draws, legal.types & ~draws);
    cr_assert_eq((types & draws) != 0, (legal.types & draws) != 0);
    json_decref(root);
}

/* Hints come before the other moves, and the engine accepts each of the first ones. */
static void check_hints(const struct eng_game *game, uint8_t seat)
{
    static struct eng_view view;
    struct eng_hints hints;
    struct eng_game copy = *game;
    struct eng_move move;
    static struct eng_outcome out;
    eng_view(game, seat, &view);
    eng_hints(&view, &hints);
    json_t *root = frame_read(legal_members_with_hints, &view, true);
    if (hints.n > 0 && hints.moves[0].type == ENG_MELD) {
        read_move(json_array_get(json_object_get(root, "moves"), 0), seat, &move);
        cr_assert_eq(eng_apply(&copy, &move, &out), ENG_OK);
    }
    json_decref(root);
}

Test(legal, matches_the_engine)
{
    uint64_t rng = 3;
    for (size_t row = 0; eng_params_at(row); row++) {
        struct eng_game game;
        static struct eng_outcome out;
        play_deal(&game, eng_params_at(row), 2, row, &out);
        for (int i = 0; i < 150 && eng_seat_to_move(&game) != ENG_NO_SEAT; i++) {
            struct eng_move move;
            for (uint8_t seat = 0; seat < 2; seat++)
                check_legal(&game, seat);
            if (i % 8 == 0)
                check_hints(&game, eng_seat_to_move(&game));
            if (game.params.family == ENG_FAMILY_DECLARE)
                play_well(&game, &rng, &move);
            else
                play_propose(&game, &rng, &move);
            eng_apply(&game, &move, &out);
        }
    }
}
