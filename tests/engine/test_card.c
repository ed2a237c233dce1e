/* Names of cards, bytes of moves, rows of parameters. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/core/cards.h"
#include "engine/core/params.h"

Test(card, names_round_trip)
{
    for (int card = 0; card < ENG_CARD_MAX; card++) {
        char name[ENG_CARD_NAME_MAX];
        int n = eng_card_name(name, (uint8_t)card);
        cr_assert_eq((size_t)n, strlen(name));
        cr_assert_eq(eng_card_parse(name, (size_t)n), card, "%s", name);
        cr_assert_eq(eng_card_is_joker((uint8_t)card), card >= ENG_JOKER_FIRST);
    }
    cr_assert_eq(eng_card_parse("AC1", 3), 0);
    cr_assert_eq(eng_card_parse("TH1", 3), 35);
    cr_assert_eq(eng_card_parse("KD2", 3), 103);
    cr_assert_eq(eng_card_parse("X1", 2), 104);
    cr_assert_eq(eng_card_rank(35), 9);
    cr_assert_eq(eng_card_suit(35), 2);
}

Test(card, invalid_names_are_rejected)
{
    static const char *const bad[] = {"",   "T",  "TH", "TH0", "TH3", "th1",  "1H1", "TX1", "X",
                                      "X0", "X7", "XX", "X10", "HT1", "TH11", " H1", "\0H1"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        cr_assert_eq(eng_card_parse(bad[i], strlen(bad[i])), ENG_NO_CARD, "%s", bad[i]);
    cr_assert_eq(eng_card_parse("T\0"
                                "1",
                                3),
                 ENG_NO_CARD);
    cr_assert_eq(eng_card_parse("\0"
                                "C1",
                                3),
                 ENG_NO_CARD);
    cr_assert_eq(eng_card_parse(NULL, 0), ENG_NO_CARD);
}

Test(move, bytes_round_trip)
{
    struct eng_move m = {.type = ENG_MELD, .seat = 3, .meld = ENG_NO_MELD, .n = 3, .cards = {9, 10, 11}},
                    back;
    uint8_t bytes[ENG_MOVE_BYTES_MAX];
    int len = eng_move_encode(bytes, &m);
    cr_assert_eq(len, 8);
    cr_assert(eng_move_decode(&back, bytes, (size_t)len));
    cr_assert_eq(memcmp(&m, &back, sizeof m), 0);
}

Test(move, groups_round_trip)
{
    struct eng_move m = {.type = ENG_DECLARE, .seat = 1, .meld = ENG_NO_MELD, .n = 14, .groups = 4}, back;
    const uint8_t lens[ENG_GROUPS_MAX] = {3, 3, 3, 4};
    uint8_t bytes[ENG_MOVE_BYTES_MAX];
    for (uint8_t i = 0; i < m.n; i++)
        m.cards[i] = i;
    memcpy(m.lens, lens, sizeof lens);
    int len = eng_move_encode(bytes, &m);
    cr_assert_eq(len, ENG_MOVE_BYTES_MAX);
    cr_assert(eng_move_decode(&back, bytes, (size_t)len));
    cr_assert_eq(memcmp(&m, &back, sizeof m), 0);
    cr_assert_not(eng_move_decode(&back, bytes, (size_t)len - 1));
    bytes[5 + 14] = ENG_GROUPS_MAX + 1;
    cr_assert_not(eng_move_decode(&back, bytes, (size_t)len));
    m = (struct eng_move){.type = ENG_GROUP, .meld = ENG_NO_MELD, .n = 2, .cards = {7, 8}};
    len = eng_move_encode(bytes, &m);
    cr_assert_eq(len, 5 + 2 + 1);
    cr_assert(eng_move_decode(&back, bytes, (size_t)len));
    cr_assert_eq(memcmp(&m, &back, sizeof m), 0);
    cr_assert_not(eng_move_decode(&back, bytes, 5 + 2), "the number of groups is missing");
}

Test(move, invalid_bytes_are_rejected)
{
    struct eng_move m;
    uint8_t bytes[32] = {ENG_MELD, 0, 0, 0, 3, 1, 2, 3};
    cr_assert(eng_move_decode(&m, bytes, 8));
    cr_assert_not(eng_move_decode(&m, bytes, 7));
    cr_assert_not(eng_move_decode(&m, bytes, 9));
    cr_assert_not(eng_move_decode(&m, bytes, 4));
    cr_assert_not(eng_move_decode(&m, NULL, 0));
    bytes[0] = ENG_MOVE_TYPE_END;
    cr_assert_not(eng_move_decode(&m, bytes, 8));
    bytes[0] = 0;
    cr_assert_not(eng_move_decode(&m, bytes, 8));
    bytes[0] = ENG_MELD;
    bytes[3] = 3;
    cr_assert_not(eng_move_decode(&m, bytes, 8));
    bytes[3] = 0;
    bytes[4] = ENG_MOVE_CARDS_MAX + 1;
    cr_assert_not(eng_move_decode(&m, bytes, 5 + ENG_MOVE_CARDS_MAX + 1));
}

Test(params, the_row_of_rummy51_matches_the_table_of_rules)
{
    const struct eng_params *p = eng_params_find("rummy51");
    cr_assert_not_null(p);
    cr_assert_null(eng_params_find("rummy52"));
    for (int players = 2; players <= 4; players++)
        cr_assert(eng_params_ok(p, players));
    cr_assert_not(eng_params_ok(p, 1));
    cr_assert_not(eng_params_ok(p, 5));
    cr_assert_eq(eng_params_cards(p), 108);
    cr_assert_eq(eng_params_deal(p, 4), 14);
    cr_assert_eq(p->opening_min, 51);
    cr_assert_eq(p->win_points, -40);
    cr_assert_eq(p->never_opened_points, 100);
}

Test(params, fields_are_set_by_name_within_their_range)
{
    struct eng_params p = *eng_params_find("rummy51");
    int field = eng_param_named("opening_min", 11);
    cr_assert_geq(field, 0);
    cr_assert_eq(eng_param_named("opening", 7), -1);
    cr_assert_eq(eng_param_get(&p, field), 51);
    cr_assert(eng_param_set(&p, field, 40));
    cr_assert_eq(p.opening_min, 40);
    cr_assert_not(eng_param_set(&p, field, -1));
    cr_assert_not(eng_param_set(&p, field, 70000));
    cr_assert_eq(p.opening_min, 40);
    p.ace_low = p.ace_high = 0;
    cr_assert_not(eng_params_ok(&p, 4));
    p = *eng_params_find("rummy51");
    p.packs = 1;
    p.jokers = 0;
    cr_assert_not(eng_params_ok(&p, 4), "52 cards are too few for four hands of 14");
}
