/* Every reason for which a move can be refused is reached; it names its cards, and the refusal changes
 * nothing. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/engine/table.h"

/* One position for most refusals: seat 0 has opened or not, and there are some melds. */
enum where { UNOPENED, OPENED, FIRST_ROUND, STRICT_ROW, NO_THROW_BACK, STARTS, NO_STOCK, ONE_CARD };

static void place(struct table *t, enum where where)
{
    static struct eng_params strict;
    struct position p = {
        .hands = {"6S 7S 8S TD TH TH KC QC 2H X X 2C", "JD QD", "JD QD", "JS QS"},
        .melds = {"1 5H X 7H", "1 5C 5S 5D", "1 9C 9S 9H 9D", "1 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD",
                  "1 KS KH X"},
        .discard = "TC",
        .stock = "4S",
    };
    strict = *eng_params_find("rummy51");
    strict.ace_high = 0;
    strict.jokers_apart = 1;
    strict.throw_back = where != NO_THROW_BACK;
    strict.swapped_joker_kept = where == NO_THROW_BACK;
    strict.swap_set_full = 1;
    p.hands[1] = p.hands[2] = p.hands[3] = NULL;
    p.round_1 = where == FIRST_ROUND;
    p.opened =
        where == OPENED || where == STRICT_ROW || where == NO_THROW_BACK || where == NO_STOCK ? "0" : NULL;
    p.params = where == STRICT_ROW || where == NO_THROW_BACK ? &strict : NULL;
    if (where == STARTS)
        p.discard = NULL;
    if (where == NO_STOCK)
        p = (struct position){
            .opened = "0",
            .hands = {"AD 2D", "4D 5D", "6D 7D JD", "8D 9D TD QD KD X X X X"},
            .discard = "3D",
            .melds = {"1 AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "1 AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC",
                      "1 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "1 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS",
                      "1 AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "1 AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH",
                      "1 AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD"},
        };
    if (where == ONE_CARD)
        p = (struct position){.params = eng_params_find("rummy40"),
                              .opened = "0",
                              .hands = {"2C"},
                              .melds = {"1 5H 6H 7H"},
                              .discard = "8H"};
    table_place(t, &p);
}

static const struct {
    enum eng_refusal code;
    enum where where;
    const char *before, *move, *blamed;
} rows[] = {
    {ENG_NOT_YOUR_TURN, UNOPENED, NULL, "stock @1", ""},
    {ENG_NOT_PLAYING, NO_STOCK, "take, throw 3D, take, throw 3D, stock", "stock", ""},
    {ENG_MUST_DRAW_FIRST, UNOPENED, NULL, "throw 2H", ""},
    {ENG_ALREADY_DRAWN, UNOPENED, "stock", "take", ""},
    {ENG_NOTHING_TO_CANCEL, UNOPENED, "stock", "cancel", ""},
    {ENG_STOCK_ONLY, UNOPENED, "take, cancel", "take", ""},
    {ENG_CARD_NOT_HELD, UNOPENED, "stock", "throw AD1", "AD1"},
    {ENG_NO_SUCH_MELD, OPENED, "stock", "lay 2H m9", ""},
    {ENG_NOT_STAGED, OPENED, "stock", "back m1", "5C1 5S1 5D1"},
    {ENG_MELD_TOO_SHORT, UNOPENED, "stock", "meld 6S 7S", "6S1 7S1"},
    {ENG_NOT_A_MELD, UNOPENED, "stock", "meld 6S 7S TD", "6S1 7S1 TD1"},
    {ENG_SET_REPEATS_SUIT, UNOPENED, "stock", "meld TH TH TD", "TH1 TH2"},
    {ENG_RUN_NOT_CONSECUTIVE, UNOPENED, "stock", "meld 6S 8S 7S", "8S1 7S1"},
    {ENG_RUN_WRAPS_ACE, OPENED, "stock", "meld KC X X", "KC1 X1 X2"},
    {ENG_ACE_SIDE_NOT_ALLOWED, STRICT_ROW, "stock", "meld QC KC X", "QC1 KC1 X1"},
    {ENG_JOKERS_ADJACENT, STRICT_ROW, "stock", "meld 6S X X", "X1 X2"},
    {ENG_TOO_MANY_JOKERS, UNOPENED, "stock", "meld X X QC", "X1 X2"},
    {ENG_SET_IS_COMPLETE, OPENED, "take, meld TC TD TH X", "lay TH m5", "TH2"},
    {ENG_JOKER_CANNOT_JOIN_SET, OPENED, "stock", "lay X m1", "X1"},
    {ENG_END_NOT_NAMED, OPENED, "stock", "lay X m0", "X1"},
    {ENG_DOES_NOT_FIT, OPENED, "stock", "lay 2H m0", "2H1"},
    {ENG_NO_OPENING_IN_FIRST_ROUND, FIRST_ROUND, "stock", "meld 6S 7S 8S", ""},
    {ENG_OPENING_BELOW_MINIMUM, UNOPENED, "stock, meld 6S 7S 8S", "throw 2H", ""},
    {ENG_MUST_OPEN_FIRST, UNOPENED, "stock", "lay 2H m0", ""},
    {ENG_MUST_OPEN_THIS_TURN, UNOPENED, "take", "throw 2H", "TC1"},
    {ENG_MUST_KEEP_A_DISCARD, NO_STOCK, "take", "meld AD 2D 3D", "AD1 2D1 3D2"},
    {ENG_JOKER_NOT_DISCARDABLE, UNOPENED, "stock", "throw X", "X1"},
    {ENG_DISCARD_COUNT, UNOPENED, "stock", "throw X X 2H", "X1 X2 2H1"},
    {ENG_DISCARD_WAS_JUST_TAKEN, NO_THROW_BACK, "take", "throw TC", "TC1"},
    {ENG_SWAPPED_JOKER_UNUSED, STRICT_ROW, NULL, NULL, NULL},
    {ENG_SWAP_NEEDS_FULL_SET, STRICT_ROW, "stock", "swap KC m4", "KC1"},
    {ENG_SWAP_CARD_DOES_NOT_FIT, OPENED, "stock", "swap 6S m0", "6S1"},
    {ENG_NO_JOKER_THERE, OPENED, "stock", "swap 6S m1", ""},
    {ENG_DISCARD_PILE_IS_EMPTY, STARTS, NULL, "take", ""},
    {ENG_STOCK_IS_EMPTY, NO_STOCK, NULL, "stock", ""},
    {ENG_NOTHING_TO_FLIP, UNOPENED, NULL, "flip", ""},
    {ENG_ONE_CARD_RULE, ONE_CARD, NULL, "take", "8H1"},
    {ENG_TURN_TOO_LONG, UNOPENED, NULL, NULL, NULL},
    {ENG_NOT_AWAY, UNOPENED, NULL, "return @1", ""},
    {ENG_ALREADY_LEFT, UNOPENED, "leave @1", "return @1", ""},
    {ENG_BAD_MOVE, UNOPENED, NULL, "stock 2H", ""},
    {ENG_GROUPING_INCOMPLETE, UNOPENED, NULL, NULL, NULL}, /* test_grouping.c covers these three */
    {ENG_NEEDS_PURE_SEQUENCE, UNOPENED, NULL, NULL, NULL},
    {ENG_NEEDS_TWO_SEQUENCES, UNOPENED, NULL, NULL, NULL},
    /* Covered for the declare family by test_declare.c and test_declare_session.c. */
    {ENG_OPEN_JOKER_NOT_TAKEABLE, UNOPENED, NULL, NULL, NULL},
    {ENG_NO_DROP_IN_THIS_VARIANT, UNOPENED, NULL, NULL, NULL},
    {ENG_DROP_AFTER_DRAW, UNOPENED, NULL, NULL, NULL},
    {ENG_OUT_OF_THIS_HAND, UNOPENED, NULL, NULL, NULL},
    {ENG_HAND_IS_DECLARED, UNOPENED, NULL, NULL, NULL},
    {ENG_NOTHING_DECLARED, UNOPENED, NULL, NULL, NULL},
    {ENG_GROUPING_IS_FINAL, UNOPENED, NULL, NULL, NULL},
    {ENG_NO_REJOIN_IN_THIS_VARIANT, UNOPENED, NULL, NULL, NULL},
    {ENG_NOT_OUT_OF_THE_POOL, UNOPENED, NULL, NULL, NULL},
    {ENG_REJOIN_BETWEEN_HANDS, UNOPENED, NULL, NULL, NULL},
    {ENG_REJOIN_TOO_LATE, UNOPENED, NULL, NULL, NULL},
};

Test(refusals, every_code_is_reached)
{
    bool reached[ENG_REFUSAL_END] = {true};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct table t;
        reached[rows[i].code] = true;
        if (rows[i].move == NULL)
            continue; /* needs a longer sequence: tested in another file */
        place(&t, rows[i].where);
        if (rows[i].before != NULL)
            table_do(&t, rows[i].before);
        table_refuse(&t, rows[i].move, rows[i].code);
        if (rows[i].blamed != NULL)
            cr_assert_str_eq(table_blamed(&t), rows[i].blamed, "%s", rows[i].move);
    }
    for (int code = 0; code < ENG_REFUSAL_END; code++)
        cr_assert(reached[code], "never: %s", eng_refusal_name((enum eng_refusal)code));
}

Test(refusals, names_are_snake_case_and_unique_and_have_a_sentence)
{
    for (int code = 1; code < ENG_REFUSAL_END; code++) {
        const char *name = eng_refusal_name((enum eng_refusal)code);
        const char *text = eng_refusal_text((enum eng_refusal)code);
        cr_assert_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz_"), strlen(name), "%s", name);
        cr_assert_eq(text[strlen(text) - 1], '.', "%s", text);
        for (int other = 1; other < code; other++)
            cr_assert_str_neq(name, eng_refusal_name((enum eng_refusal)other));
    }
}

/* Moves that no decoder should accept are also refused. */
Test(refusals, malformed_moves_are_refused)
{
    static const struct eng_move bad[] = {
        {.type = 0},
        {.type = ENG_MOVE_TYPE_END},
        {.type = ENG_DRAW_STOCK, .seat = 4},
        {.type = ENG_DRAW_STOCK, .n = 1},
        {.type = ENG_MELD, .n = 0},
        {.type = ENG_MELD, .n = ENG_MOVE_CARDS_MAX + 1},
        {.type = ENG_MELD, .n = 3, .cards = {1, 2, ENG_CARD_MAX}},
        {.type = ENG_LAY_OFF, .n = 2, .cards = {1, 2}},
        {.type = ENG_LAY_OFF, .n = 1, .end = 3},
        {.type = ENG_SWAP, .n = 3, .cards = {1, 2, 3}},
        {.type = ENG_DISCARD, .n = 0},
        {.type = ENG_TIME_OUT, .n = 1},
    };
    struct table t;
    place(&t, UNOPENED);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct eng_game before = t.g;
        cr_assert_eq(eng_apply(&t.g, &bad[i], &t.out), ENG_BAD_MOVE, "%zu", i);
        cr_assert_eq(memcmp(&before, &t.g, sizeof before), 0);
    }
}
