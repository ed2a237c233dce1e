/* Turns of the declare family: the deal, drawing, discarding, dropping, the clock, leaving, wrong
 * declarations, refusals. Valid declarations are in test_declare_show.c. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/play.h"
#include "tests/engine/table.h"

#define ROW(name) (eng_params_find(name))
/* Two hands with three pure sequences and 25 points, and a hand that can be declared correctly or wrongly.
 * Tens are wild. */
#define CLUBS "3C 4C 5C 7C 8C 9C JC QC KC AS 3S 5S 7S"
#define REDS "3H 4H 5H 7H 8H 9H JH QH KH AD 3D 5D 7D"
#define DECLARER "2H 3H 4H 5H 6C 7C 8C 9D 9S 9H JD JS JH 3D"
#define RIGHTLY "declare 2H 3H 4H 5H | 6C 7C 8C | 9D 9S 9H | JD JS JH finish 3D"
#define WRONGLY "declare 2H 3H 4H | 6C 7C 8C | 9D 9S 9H 3D | JD JS JH finish 5H"

static const char *const five[] = {"points", "pool101", "pool201", "deals2", "deals3"};

/* ---- The deal ---- */

Test(declare, each_seat_gets_13_cards_and_a_wild_card_is_turned_up)
{
    static const int stock[ENG_SEAT_MAX + 1] = {0, 0, 78, 65, 52, 39, 26};
    for (size_t row = 0; row < ARRAY_LEN(five); row++) {
        for (int players = 2; players <= 6; players++) {
            struct eng_game g;
            struct eng_outcome out;
            play_deal(&g, ROW(five[row]), players, 7, &out);
            eng_check(&g);
            cr_assert_eq(g.stock_n, stock[players]);
            cr_assert_eq(g.discard_n, 1);
            cr_assert_eq(g.open_card, g.discard[0]);
            for (int seat = 0; seat < players; seat++)
                cr_assert_eq(eng_cards_count(&g.hand[seat]), 13);
            cr_assert_eq(out.events_n, players + 3);
            const struct eng_event *wild = &out.events[players + 1];
            cr_assert_eq(wild->type, ENG_EV_WILD);
            cr_assert_eq(wild->cards[0], g.wild_card);
            cr_assert_eq(wild->wild.rank, g.wild_card >= ENG_JOKER_FIRST ? 0 : eng_card_rank(g.wild_card));
            cr_assert_eq(g.phase, ENG_TO_DRAW, "the starter draws like all others");
            cr_assert_eq(g.to_move, g.starter);
        }
    }
}

Test(declare, a_printed_joker_turned_up_makes_aces_wild)
{
    struct eng_outcome out;
    struct eng_game g;
    uint64_t number = 0;
    do
        play_deal(&g, ROW("points"), 2, number++, &out);
    while (g.wild_card < ENG_JOKER_FIRST);
    struct eng_view view;
    eng_view(&g, 0, &view);
    cr_assert_eq(view.wild_rank, ENG_RANK_ACE);
    cr_assert_eq(out.events[3].wild.rank, ENG_RANK_ACE);
}

/* ---- Drawing and discarding ---- */

Test(declare, a_turn_is_a_draw_and_a_discard)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 3, .hands = {CLUBS, REDS, CLUBS}, .discard = "KD",
          .stock = "QD", .wild = "TC");
    table_do(&t, "stock, throw QD");
    cr_assert_str_eq(table_discard(&t), "KD1 QD1", "the card just drawn may be discarded");
    cr_assert_eq(t.g.to_move, 1);
    table_do(&t, "take");
    cr_assert_eq(table_event(&t, ENG_EV_DREW)->private_to, ENG_NO_SEAT);
    table_do(&t, "throw QD");
    cr_assert_eq(t.g.to_move, 2);
    cr_assert_eq(t.g.turns[0], 2);
    cr_assert_eq(t.g.picked, 3);
}

Test(declare, only_opening_jokers_and_wild_cards_can_be_taken_from_the_pile)
{
    static const struct {
        const char *discard, *wild;
        bool opened, taken;
    } cases[] = {
        {"X", "TC", true, true},     {"X", "TC", false, false}, {"TH", "TC", true, true},
        {"TH", "TC", false, false},  {"KD", "TC", false, true}, {"KD TS", "TC", true, false},
        {"KD X", "TC", true, false}, {"AH", "X", false, false}, {"AH", "X", true, true},
        {"2H", "X", false, true},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        struct eng_view view;
        PLACE(&t, .params = ROW("points"), .players = 2, .hands = {CLUBS, REDS}, .discard = cases[i].discard,
              .wild = cases[i].wild, .open_lies = cases[i].opened);
        eng_view(&t.g, 0, &view);
        cr_assert_eq(view.may_take, cases[i].taken, "%zu", i);
        if (cases[i].taken) {
            table_do(&t, "take");
            continue;
        }
        table_refuse(&t, "take", ENG_OPEN_JOKER_NOT_TAKEABLE);
        cr_assert_eq(t.out.refused_n, 1);
        cr_assert_eq(t.out.refused[0], t.g.discard[t.g.discard_n - 1]);
    }
}

Test(declare, an_opening_joker_remains_available_below_later_discards)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 2, .hands = {CLUBS, REDS}, .discard = "X",
          .open_lies = true, .stock = "KD QD");
    table_do(&t, "stock, throw KD, take, throw KH, take, throw KC, take, throw KC");
    table_do(&t, "take, throw KH, take");
    cr_assert_str_eq(table_discard(&t), "X1");
    table_do(&t, "throw KD, take, throw AS, take, throw AS, stock, throw QD");
    cr_assert_neq(t.g.open_card, ENG_NO_CARD);
}

Test(declare, a_taken_and_discarded_opening_joker_is_an_ordinary_discard)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 2, .hands = {CLUBS, REDS}, .discard = "X",
          .open_lies = true);
    table_do(&t, "take, throw X");
    cr_assert_eq(t.g.open_card, ENG_NO_CARD);
    table_refuse(&t, "take", ENG_OPEN_JOKER_NOT_TAKEABLE);
}

Test(declare, with_exact_scope_only_the_card_itself_is_wild)
{
    struct eng_params exact = *ROW("points");
    struct table t;
    cr_assert(eng_params_set(&exact, "wild_scope", "exact"));
    PLACE(&t, .params = &exact, .players = 2, .hands = {CLUBS, REDS}, .discard = "KD TH", .wild = "TC",
          .stock = "TC");
    table_do(&t, "take, throw TH, stock, throw TC");
    table_refuse(&t, "take", ENG_OPEN_JOKER_NOT_TAKEABLE);
}

Test(declare, an_empty_stock_is_refilled_with_all_but_the_top_discard)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 2, .hands = {CLUBS, REDS}, .rest_to_discard = true,
          .discard = "KD", .open_lies = true);
    int pile = t.g.discard_n;
    cr_assert_eq(t.g.stock_n, 0);
    table_do(&t, "stock");
    cr_assert_eq(table_event(&t, ENG_EV_RESHUFFLED)->renewed.stock_n, pile - 1);
    cr_assert_str_eq(table_discard(&t), "KD1");
    cr_assert_eq(t.g.open_card, ENG_NO_CARD, "the card that opened the pile was shuffled away");
    table_do(&t, "throw 3C");
}

Test(declare, a_stalled_hand_ends_without_a_winner)
{
    struct table t;
    struct position p = {.params = ROW("pool101"),
                         .players = 2,
                         .hands = {CLUBS, REDS},
                         .stock = "KD QD",
                         .turns = {100, 98},
                         .discard = "TD",
                         .to_move = 1};
    table_place(&t, &p);
    table_do(&t, "stock, throw KD");
    cr_assert_eq(t.g.ending, 0);
    p.turns[1] = 99;
    table_place(&t, &p);
    table_do(&t, "stock, throw KD");
    cr_assert_eq(t.g.ending, ENG_ENDED_STALLED);
    cr_assert_eq(t.g.winner, ENG_NO_SEAT);
    cr_assert_eq(t.g.points[0], 25, "each hand is scored in its best arrangement");
    cr_assert_eq(t.g.points[1], 25);
}

/* ---- Dropping ---- */

Test(declare, a_drop_is_a_first_drop_until_the_first_draw)
{
    static const struct {
        const char *variant;
        int first, middle;
    } cases[] = {{"points", 20, 40}, {"pool101", 20, 40}, {"pool201", 25, 50}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        struct eng_view view;
        PLACE(&t, .params = ROW(cases[i].variant), .players = 3, .hands = {CLUBS, REDS, CLUBS}, .picked = "1",
              .stock = "KD QD");
        eng_view(&t.g, 0, &view);
        cr_assert_eq(view.drop_points, cases[i].first);
        eng_view(&t.g, 1, &view);
        cr_assert_eq(view.drop_points, cases[i].middle, "the price is known before the turn");
        eng_view(&t.g, 2, &view);
        cr_assert_eq(view.drop_points, cases[i].first);
        eng_view(&t.g, ENG_SPECTATOR, &view);
        cr_assert_eq(view.drop_points, 0);
        table_do(&t, "drop");
        eng_view(&t.g, 0, &view);
        cr_assert_eq(view.drop_points, 0, "no seat drops twice");
        cr_assert_eq(table_event(&t, ENG_EV_DROPPED)->dropped.points, cases[i].first);
        cr_assert_eq(table_event(&t, ENG_EV_DROPPED)->dropped.how, ENG_DROP_FIRST);
        cr_assert_eq(t.g.to_move, 1);
        table_do(&t, "stock, throw KD, stock, throw QD");
        cr_assert_eq(t.g.to_move, 1, "a seat that dropped is skipped");
        eng_view(&t.g, 1, &view);
        cr_assert_eq(view.drop_points, cases[i].middle);
        table_do(&t, "drop");
        cr_assert_eq(t.g.ending, ENG_ENDED_LAST, "the last one in has won");
        cr_assert_eq(t.g.winner, 2);
        cr_assert_eq(t.g.points[0], cases[i].first);
        cr_assert_eq(t.g.points[1], cases[i].middle);
        cr_assert_eq(t.g.points[2], 0);
        cr_assert_eq(t.g.bonus[2], cases[i].first + cases[i].middle);
    }
}

/* ---- The clock ---- */

Test(declare, a_timeout_skips_the_turn_or_discards_the_drawn_card)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 2, .hands = {CLUBS, REDS}, .stock = "KD QD");
    table_do(&t, "time-out");
    cr_assert_eq(t.g.to_move, 1);
    cr_assert_eq(t.g.turns[0], 2);
    cr_assert_null(table_event(&t, ENG_EV_DREW));
    cr_assert_eq(t.g.picked, 0, "a turn without a draw: dropping stays cheap");
    table_do(&t, "stock, time-out");
    cr_assert_str_eq(table_discard(&t), "KD1");
    cr_assert_eq(t.g.timeouts[1], 1);
    table_do(&t, "stock");
    cr_assert_eq(t.g.timeouts[0], 0, "any own action resets the count");
}

Test(declare, three_timeouts_in_a_row_are_a_middle_drop)
{
    for (int drawn = 0; drawn < 2; drawn++) {
        struct table t;
        PLACE(&t, .params = ROW("pool201"), .players = 3, .hands = {CLUBS, REDS, CLUBS}, .missed = {2},
              .stock = "KD QD");
        if (drawn) {
            table_do(&t, "stock");
            cr_assert_eq(t.g.timeouts[0], 0);
            t.g.timeouts[0] = 2;
        }
        table_do(&t, "time-out");
        cr_assert_eq(table_event(&t, ENG_EV_TIMED_OUT)->timed_out.in_a_row, 3);
        cr_assert_eq(table_event(&t, ENG_EV_DROPPED)->dropped.points, 50);
        cr_assert_eq(table_event(&t, ENG_EV_DROPPED)->dropped.how, ENG_DROP_MIDDLE);
        cr_assert_eq(eng_cards_count(&t.g.hand[0]), 13, "the drawn card is discarded first");
        cr_assert_eq(t.g.to_move, 1);
        cr_assert_not(eng_seat_is_away(&t.g, 0));
        table_refuse(&t, "stock @0", ENG_OUT_OF_THIS_HAND);
    }
}

Test(declare, in_deals_timeouts_draw_and_discard_until_the_hand_ends)
{
    struct table t;
    struct eng_outcome out;
    uint8_t key[ENG_KEY_BYTES] = {9};
    PLACE(&t, .params = ROW("deals2"), .players = 2, .hands = {CLUBS, REDS}, .missed = {2},
          .stock = "KD QD JD TD");
    table_do(&t, "time-out");
    cr_assert_not_null(table_event(&t, ENG_EV_AWAY));
    cr_assert_eq(table_event(&t, ENG_EV_DISCARDED)->cards[0], table_event(&t, ENG_EV_DREW)->cards[0]);
    cr_assert_eq(t.g.dropped, 0);
    table_do(&t, "stock, throw QD, time-out");
    cr_assert_str_eq(table_discard(&t), "KD1 QD1 JD1", "away: a card is drawn and discarded");
    table_do(&t, "return @0");
    cr_assert_eq(t.g.timeouts[0], 0);
    table_refuse(&t, "return @0", ENG_NOT_AWAY);
    PLACE(&t, .params = ROW("deals2"), .players = 2, .hands = {DECLARER, REDS}, .play = true, .away = "1");
    table_do(&t, WRONGLY);
    cr_assert_eq(t.g.ending, ENG_ENDED_LAST);
    cr_assert(eng_seat_is_away(&t.g, 1));
    eng_deal(&t.g, key, &out);
    cr_assert_not(eng_seat_is_away(&t.g, 1), "they play the next hand themselves");
    cr_assert_eq(out.events[0].type, ENG_EV_RETURNED);
}

/* A bot plays the seat of an away player, and only draws and discards, whatever its hand. */
Test(declare, a_bot_for_an_away_player_only_draws_and_discards)
{
    for (int level = ENG_BOT_EASY; level <= ENG_BOT_STRONG; level++) {
        struct table t;
        struct eng_view view;
        struct eng_move m;
        uint64_t rng = 1;
        PLACE(&t, .params = ROW("deals3"), .players = 2, .away = "0", .stock = "3D", .discard = "JC",
              .hands = {"2H 3H 4H 5H 6C 7C 8C 9D 9S 9H JD JS JH", REDS});
        for (int i = 0; i < 2; i++) {
            eng_view(&t.g, 0, &view);
            eng_bot_move(&view, (enum eng_bot_level)level, &rng, &m);
            cr_assert_eq(m.type, i == 0 ? ENG_DRAW_STOCK : ENG_DISCARD);
            cr_assert_eq(eng_apply(&t.g, &m, &t.out), ENG_OK);
        }
        cr_assert_str_eq(table_discard(&t), "JC1 3D2", "though they could have declared");
    }
}

/* ---- Leaving ---- */

Test(declare, leaving_drops_the_hand_and_ends_the_session_for_that_player)
{
    static const struct {
        const char *variant, *picked;
        int points;
    } cases[] = {{"points", "", 20},  {"points", "1", 40},  {"pool101", "", 20}, {"pool101", "1", 40},
                 {"pool201", "", 25}, {"pool201", "1", 50}, {"deals2", "", -80}, {"deals3", "1", -80}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        PLACE(&t, .params = ROW(cases[i].variant), .players = 3, .hands = {CLUBS, REDS, CLUBS},
              .picked = cases[i].picked, .stock = "KD");
        int32_t before = t.g.points[1];
        table_do(&t, "leave @1");
        cr_assert_eq(table_event(&t, ENG_EV_DROPPED)->dropped.how, ENG_DROP_LEFT);
        cr_assert_eq(table_event(&t, ENG_EV_DROPPED)->dropped.points, abs(cases[i].points));
        cr_assert(eng_seat_is_out(&t.g, 1));
        cr_assert_eq(t.g.to_move, 0, "it was not their turn");
        table_refuse(&t, "leave @1", ENG_ALREADY_LEFT);
        table_refuse(&t, "return @1", ENG_ALREADY_LEFT);
        table_do(&t, "stock, throw KD");
        cr_assert_eq(t.g.to_move, 2);
        table_do(&t, "leave @2");
        cr_assert_eq(t.g.ending, ENG_ENDED_LAST);
        cr_assert_eq(t.g.phase, ENG_SESSION_OVER, "only one is in");
        cr_assert_eq(t.g.points[1] - before, cases[i].points);
        cr_assert_eq(t.g.place[0], 1);
        struct eng_view view;
        eng_view(&t.g, 0, &view);
        cr_assert_eq(view.winners, 1);
    }
}

Test(declare, a_player_who_leaves_during_a_turn_keeps_the_drawn_card)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 3, .hands = {CLUBS, REDS, CLUBS}, .stock = "KD");
    table_do(&t, "stock, leave");
    cr_assert_eq(eng_cards_count(&t.g.hand[0]), 14);
    cr_assert_eq(table_event(&t, ENG_EV_DROPPED)->dropped.points, 40);
    cr_assert_eq(t.g.to_move, 1);
}

Test(declare, leaving_after_a_declaration_is_not_a_drop)
{
    struct table t;
    struct position p = {
        .params = ROW("points"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true};
    table_place(&t, &p);
    table_do(&t, RIGHTLY);
    cr_assert_eq(t.g.phase, ENG_TO_GROUP);
    table_do(&t, "leave @1");
    cr_assert_null(table_event(&t, ENG_EV_DROPPED));
    table_do(&t, "leave @0");
    cr_assert_eq(t.g.phase, ENG_TO_GROUP);
    table_do(&t, "group 3C 4C 5C | 7C 8C 9C done @2");
    cr_assert_eq(t.g.ending, ENG_ENDED_OUT);
    cr_assert_eq(t.g.winner, 0, "their declaration had won before they left");
    cr_assert_eq(t.g.points[1], 25);
    cr_assert_eq(t.g.points[2], 55, "J Q K of clubs were not grouped");
    p.params = ROW("deals2");
    table_place(&t, &p);
    table_do(&t, RIGHTLY ", group 3H 4H 5H @1, leave @1");
    cr_assert_null(table_event(&t, ENG_EV_DROPPED), "nor is the penalty for leaving due there");
    table_do(&t, "leave @2");
    cr_assert_eq(t.g.phase, ENG_SESSION_OVER);
    cr_assert_eq(t.g.points[1], 160 - 80, "the last saved grouping has only one sequence");
    cr_assert_eq(t.g.points[2], 160 - 25, "without a saved grouping the best arrangement counts");
    cr_assert_eq(t.g.points[0], 160 + 105);
}

/* ---- Wrong declarations ---- */

Test(declare, a_wrong_declaration_costs_80_and_the_others_keep_playing)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true,
          .stock = "KD");
    table_do(&t, WRONGLY);
    const struct eng_event *e = table_event(&t, ENG_EV_DECLARED);
    cr_assert_eq(e->declared.refusal, ENG_NOT_A_MELD);
    cr_assert_eq(e->declared.points, 80);
    cr_assert_eq(e->private_to, ENG_NO_SEAT);
    cr_assert_eq(e->n, 14, "all see the groups and the card of the finish slot");
    cr_assert_eq(e->groups, 4);
    cr_assert_eq(t.g.phase, ENG_TO_DRAW);
    cr_assert_eq(t.g.to_move, 1);
    cr_assert_eq(eng_cards_count(&t.g.hand[0]), 13);
    table_refuse(&t, "stock @0", ENG_OUT_OF_THIS_HAND);
    table_do(&t, "take");
    cr_assert_eq(eng_card_rank(t.g.drawn), 4, "the finishing card is on the pile");
    table_do(&t, "throw KH, drop");
    cr_assert_eq(t.g.ending, ENG_ENDED_LAST);
    cr_assert_eq(t.g.winner, 1);
    cr_assert_eq(t.g.points[0], 80);
    cr_assert_eq(t.g.points[2], 20);
    cr_assert_eq(t.g.points[1], 0);
}

Test(declare, with_two_players_a_wrong_declaration_ends_the_hand)
{
    for (size_t i = 0; i < ARRAY_LEN(five); i++) {
        struct table t;
        PLACE(&t, .params = ROW(five[i]), .players = 2, .hands = {DECLARER, REDS}, .play = true);
        table_do(&t, WRONGLY);
        cr_assert_eq(t.g.ending, ENG_ENDED_LAST);
        cr_assert_eq(t.g.winner, 1);
        const struct eng_event *e = table_event(&t, ENG_EV_SCORED);
        cr_assert_eq(abs(e->scored.points), 80);
        cr_assert_eq(e->scored.flags & ENG_SCORE_WRONG, ENG_SCORE_WRONG);
    }
}

/* ---- Refusals ---- */

static const struct {
    enum eng_refusal code;
    const char *variant, *before, *move, *blamed;
} rows[] = {
    {ENG_NOT_YOUR_TURN, "points", NULL, "stock @1", ""},
    {ENG_MUST_DRAW_FIRST, "points", NULL, "throw 3C", ""},
    {ENG_MUST_DRAW_FIRST, "points", NULL, "declare 3C 4C 5C | 7C 8C 9C | JC QC KC | AS 3S 5S 7S finish 3C",
     ""},
    {ENG_ALREADY_DRAWN, "points", "stock", "take", ""},
    {ENG_CARD_NOT_HELD, "points", "stock", "throw 2H1", "2H1"},
    {ENG_CARD_NOT_HELD, "points", "stock", "declare 3C 4C 5C | 7C 8C 9C | JC QC KC | AS 3S 5S 2H1 finish KD",
     "2H1"},
    {ENG_CARD_NOT_HELD, "points", "stock", "declare 3C 4C 5C | 7C 8C 9C | JC QC KC | AS 3S 5S 7S finish 7S",
     "7S1"},
    {ENG_NO_DROP_IN_THIS_VARIANT, "deals2", NULL, "drop", ""},
    {ENG_NO_DROP_IN_THIS_VARIANT, "deals3", "stock", "drop", ""},
    {ENG_DROP_AFTER_DRAW, "pool101", "stock", "drop", ""},
    {ENG_OUT_OF_THIS_HAND, "points", "drop", "stock @0", ""},
    {ENG_OUT_OF_THIS_HAND, "points", "drop", "drop @0", ""},
    {ENG_NOTHING_DECLARED, "points", NULL, "group 3C 4C 5C", ""},
    {ENG_NOTHING_DECLARED, "points", NULL, "close", ""},
    {ENG_GROUPING_INCOMPLETE, "points", "stock", "declare 3C 4C 5C | 7C 8C 9C | JC QC KC finish KD",
     "AS1 3S1 5S1 7S1"},
    {ENG_GROUPING_INCOMPLETE, "points", "stock",
     "declare 3C 4C 5C | 7C 8C 9C | JC QC KC AS 3S | 5S 7S finish KD", "5S1 7S1"},
    {ENG_NOT_AWAY, "points", NULL, "return @1", ""},
    {ENG_NOT_PLAYING, "pool101", "drop, drop", "stock", ""},
    {ENG_NOT_PLAYING, "pool101", "drop, drop", "time-out", ""},
    {ENG_NOT_PLAYING, "points", "drop, drop", "leave @2", ""},
    {ENG_BAD_MOVE, "points", NULL, "flip", ""},
    {ENG_BAD_MOVE, "points", "stock", "meld 3C 4C 5C", ""},
    {ENG_BAD_MOVE, "points", "stock", "throw 3C 4C", ""},
    {ENG_BAD_MOVE, "points", NULL, "drop 3C", ""},
    {ENG_BAD_MOVE, "points", "stock", "lay 3C m0", ""},
    {ENG_BAD_MOVE, "points", "stock", "back", ""},
    {ENG_BAD_MOVE, "points", "stock", "cancel", ""},
    {ENG_BAD_MOVE, "points", "stock", "swap 3C m0", ""},
};

Test(declare, refusals_have_a_code_and_change_nothing)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct table t;
        PLACE(&t, .params = ROW(rows[i].variant), .players = 3, .hands = {CLUBS, REDS, CLUBS}, .wild = "TC",
              .stock = "KD", .discard = "QD");
        if (rows[i].before != NULL)
            table_do(&t, rows[i].before);
        table_refuse(&t, rows[i].move, rows[i].code);
        cr_assert_str_eq(table_blamed(&t), rows[i].blamed, "%s", rows[i].move);
    }
}

/* Moves that no decoder should accept are also refused. */
Test(declare, malformed_moves_are_refused)
{
    static const struct eng_move bad[] = {
        {.type = ENG_DECLARE},
        {.type = ENG_DECLARE, .n = 3, .groups = 1, .lens = {3}, .cards = {1, 2, 3}},
        {.type = ENG_DECLARE, .n = 4, .groups = 2, .lens = {3}, .cards = {1, 2, 3, 4}},
        {.type = ENG_DECLARE, .n = 4, .groups = 5, .lens = {3}, .cards = {1, 2, 3, 4}},
        {.type = ENG_DECLARE, .n = 5, .groups = 2, .lens = {255, 5}, .cards = {1, 2, 3, 4, 5}},
        {.type = ENG_GROUP, .n = 2, .groups = 1, .lens = {3}, .cards = {1, 2, 3}},
        {.type = ENG_GROUP, .n = 14, .groups = 1, .lens = {3}},
        {.type = ENG_GROUP, .end = 2},
        {.type = ENG_GROUP, .n = 3, .groups = 1, .lens = {3}, .cards = {1, 2, ENG_CARD_MAX}},
        {.type = ENG_DRAW_STOCK, .groups = 1},
        {.type = ENG_DROP, .n = 1},
        {.type = ENG_REJOIN, .n = 1},
        {.type = ENG_CLOSE, .seat = 3},
    };
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 3, .hands = {CLUBS, REDS, CLUBS}, .play = false);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct eng_game before = t.g;
        cr_assert_eq(eng_apply(&t.g, &bad[i], &t.out), ENG_BAD_MOVE, "%zu", i);
        cr_assert_eq(memcmp(&before, &t.g, sizeof before), 0);
    }
}
