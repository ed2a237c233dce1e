/* Turns: the first discard, draws, renewed stocks, hands without cards, timeouts, leaving, the stall guard.
 * docs/rules.md §2, §3, and §6. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/engine/play.h"
#include "tests/engine/table.h"

static struct table t;

static void deal(int players, uint64_t number)
{
    play_deal(&t.g, eng_params_find("rummy51"), players, number, &t.out);
    eng_check(&t.g);
}

Test(turns, the_deal_matches_the_rules_of_rummy51)
{
    deal(4, 7);
    cr_assert_eq(t.g.stock_n, 51);
    cr_assert_eq(t.g.discard_n, 0);
    for (int seat = 0; seat < 4; seat++)
        cr_assert_eq(eng_cards_count(&t.g.hand[seat]), seat == t.g.starter ? 15 : 14);
    cr_assert_eq(t.out.events_n, 5);
    for (uint8_t seat = 0; seat < 4; seat++) {
        cr_assert_eq(t.out.events[seat].type, ENG_EV_DEALT);
        cr_assert_eq(t.out.events[seat].private_to, seat);
        cr_assert_eq(t.out.events[seat].n, seat == t.g.starter ? 15 : 14);
    }
    cr_assert_eq(t.out.events[4].type, ENG_EV_TURN);
    cr_assert_eq(t.out.events[4].turn.phase, ENG_TO_PLAY);
    cr_assert_eq(t.out.events[4].turn.round, 1);
    cr_assert_eq(eng_version(&t.g), 5);
    cr_assert_eq(eng_seat_to_move(&t.g), t.g.starter);
}

Test(turns, two_or_three_players_get_14_cards_each)
{
    for (int players = 2; players <= 3; players++) {
        deal(players, 3);
        cr_assert_eq(t.g.stock_n, 108 - 14 * players - 1);
    }
}

Test(turns, every_seat_starts_about_equally_often)
{
    int starts[4] = {0};
    for (uint64_t i = 0; i < 4000; i++) {
        deal(4, i);
        starts[t.g.starter]++;
    }
    for (int seat = 0; seat < 4; seat++)
        cr_assert(starts[seat] > 850 && starts[seat] < 1150, "%d", starts[seat]);
}

Test(turns, the_starter_discards_first_and_the_next_seat_may_take_it_freely)
{
    deal(4, 9);
    uint8_t starter = t.g.starter;
    table_refuse(&t, "stock", ENG_ALREADY_DRAWN);
    table_refuse(&t, "cancel", ENG_NOTHING_TO_CANCEL);
    uint64_t rng = 1;
    struct eng_move m;
    play_plain(&t.g, &rng, &m);
    cr_assert_eq(eng_apply(&t.g, &m, &t.out), ENG_OK);
    cr_assert_eq(t.g.to_move, (starter + 1) % 4, "clockwise");
    cr_assert_eq(table_event(&t, ENG_EV_TURN)->turn.phase, ENG_TO_DRAW);
    table_do(&t, "take");
    cr_assert_eq(table_event(&t, ENG_EV_DREW)->drew.must_open, 0);
    cr_assert_eq(t.g.must_open, 0);
}

Test(turns, the_next_hand_of_a_session_starts_with_the_next_seat)
{
    static const uint8_t key[ENG_KEY_BYTES] = {2};
    struct eng_params p = *eng_params_find("rummy51");
    p.session_hands = 2;
    PLACE(&t, .params = &p, .opened = "0", .hands = {"2C", "KC", "KD", "KS"}, .stock = "5S",
          .melds = {"1 2S 3S 4S"});
    t.g.starter = 3;
    table_do(&t, "stock, lay 5S m0, throw 2C");
    cr_assert_eq(eng_phase(&t.g), ENG_HAND_OVER);
    cr_assert_null(table_event(&t, ENG_EV_SESSION_ENDED));
    uint32_t v = eng_version(&t.g);
    eng_deal(&t.g, key, &t.out);
    eng_check(&t.g);
    cr_assert_eq(t.g.starter, 0);
    cr_assert_eq(t.g.hand_no, 2);
    cr_assert_eq(eng_version(&t.g), v + 5, "versions continue");
    cr_assert_eq(t.g.points[0], -40, "and so do the points");
    cr_assert_eq(t.g.points[1], 10);
}

Test(turns, a_draw_must_come_first)
{
    PLACE(&t, .opened = "0", .hands = {"6S 7S 8S 2C"}, .melds = {"1 5H X 7H"});
    table_refuse(&t, "meld 6S 7S 8S", ENG_MUST_DRAW_FIRST);
    table_refuse(&t, "lay 6S m0", ENG_MUST_DRAW_FIRST);
    table_refuse(&t, "swap 6S m0", ENG_MUST_DRAW_FIRST);
    table_refuse(&t, "throw 2C", ENG_MUST_DRAW_FIRST);
    table_refuse(&t, "take", ENG_DISCARD_PILE_IS_EMPTY);
    table_do(&t, "stock");
    table_refuse(&t, "stock", ENG_ALREADY_DRAWN);
    table_refuse(&t, "take", ENG_ALREADY_DRAWN);
    table_refuse(&t, "throw 2C @1", ENG_NOT_YOUR_TURN);
}

Test(turns, an_empty_stock_is_refilled_with_all_but_the_top_discard)
{
    PLACE(&t, .opened = "0 1 2 3", .hands = {"2C 3C", "2D 3D", "2H 3H", "2S 3S"}, .rest_to_discard = true,
          .discard = "9H 4C");
    int pile = t.g.discard_n;
    cr_assert_eq(t.g.stock_n, 0);
    table_do(&t, "stock");
    cr_assert_eq(t.out.events[0].type, ENG_EV_RESHUFFLED);
    cr_assert_eq(t.out.events[0].renewed.stock_n, pile - 1);
    cr_assert_eq(t.out.events[1].type, ENG_EV_DREW);
    cr_assert_str_eq(table_discard(&t), "4C1");
    cr_assert_eq(t.g.stock_n, pile - 2);
    cr_assert_eq(t.g.stream_used > 0, true);
}

/* All but a few cards are in melds, so that the piles can run out. */
#define MANY_MELDS                                                                                           \
    "1 AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "1 AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC",                  \
        "1 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "1 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS",              \
        "1 AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "1 AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH",              \
        "1 AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD"

Test(turns, a_hand_without_cards_to_draw_ends_without_a_winner)
{
    PLACE(&t, .melds = {MANY_MELDS}, .hands = {"AD 2D 3D", "4D 5D", "6D 7D", "8D 9D TD X X X X"},
          .discard = "JD KD QD");
    table_do(&t, "stock"); /* renews two cards */
    table_do(&t, "throw AD, stock, throw 4D, stock");
    cr_assert_not_null(table_event(&t, ENG_EV_RESHUFFLED));
    cr_assert_eq(t.g.ending, 0);
    PLACE(&t, .melds = {MANY_MELDS}, .hands = {"AD 2D 3D", "4D 5D", "6D 7D JD", "8D 9D TD KD X X X X"},
          .discard = "QD");
    table_do(&t, "take");
    table_do(&t, "cancel, stock");
    cr_assert_eq(t.g.ending, ENG_ENDED_NO_CARDS);
    cr_assert_eq(t.g.winner, ENG_NO_SEAT);
    cr_assert_eq(t.g.phase, ENG_SESSION_OVER);
    cr_assert_eq(table_event(&t, ENG_EV_HAND_ENDED)->seat, ENG_NO_SEAT);
    cr_assert_eq(table_event(&t, ENG_EV_SESSION_ENDED)->seat, ENG_NO_SEAT);
    /* No seat gets -40: seat 1 has opened and holds 9, the others never opened, ordered by hands. */
    cr_assert_eq(t.g.points[1], 9);
    cr_assert_eq(t.g.points[0], 100);
    cr_assert_eq(t.g.place[1], 1);
    cr_assert_eq(t.g.place[0], 2);
    cr_assert_eq(t.g.place[2], 3);
    cr_assert_eq(t.g.place[3], 4);
    table_refuse(&t, "stock", ENG_NOT_PLAYING);
    table_refuse(&t, "leave", ENG_NOT_PLAYING);
}

Test(turns, a_hand_continues_while_the_discard_can_be_taken_freely)
{
    PLACE(&t, .opened = "0", .melds = {MANY_MELDS},
          .hands = {"AD 2D 3D", "4D 5D", "6D 7D JD", "8D 9D TD KD X X X X"}, .discard = "QD");
    table_refuse(&t, "stock", ENG_STOCK_IS_EMPTY);
    table_do(&t, "take, throw QD");
    /* A timeout does the same. */
    PLACE(&t, .opened = "0", .melds = {MANY_MELDS},
          .hands = {"AD 2D 3D", "4D 5D", "6D 7D JD", "8D 9D TD KD X X X X"}, .discard = "QD");
    table_do(&t, "time-out");
    cr_assert_eq(t.g.ending, 0);
    cr_assert_str_eq(table_discard(&t), "QD2");
    /* The next seat may not take it without conditions. */
    table_do(&t, "time-out");
    cr_assert_eq(t.g.ending, 0, "seat 1 has opened");
    table_do(&t, "time-out");
    cr_assert_eq(t.g.ending, ENG_ENDED_NO_CARDS);
}

/* ---- Timeouts ---- */

Test(time_out, draws_and_discards_the_drawn_card)
{
    PLACE(&t, .hands = {"KS 2C"}, .stock = "4D");
    table_do(&t, "time-out");
    cr_assert_str_eq(table_discard(&t), "4D1");
    cr_assert_str_eq(table_hand(&t, 0), "2C1 KS1");
    cr_assert_eq(table_event(&t, ENG_EV_TIMED_OUT)->timed_out.in_a_row, 1);
    cr_assert_eq(t.g.to_move, 1);
    PLACE(&t, .hands = {"KS 2C"}, .stock = "4D");
    table_do(&t, "stock, time-out");
    cr_assert_str_eq(table_discard(&t), "4D1");
    table_refuse(&t, "time-out @0", ENG_NOT_YOUR_TURN);
}

Test(time_out, a_drawn_joker_is_kept_and_the_highest_card_discarded)
{
    PLACE(&t, .hands = {"9S AS KS 2C"}, .stock = "X");
    table_do(&t, "time-out");
    cr_assert_str_eq(table_discard(&t), "AS1", "ten points, and an ace ranks above a king");
    PLACE(&t, .hands = {"KC KS KH 2C"}, .stock = "X");
    table_do(&t, "time-out");
    cr_assert_str_eq(table_discard(&t), "KH1");
    PLACE(&t, .opened = "0", .hands = {"X"}, .stock = "X");
    table_do(&t, "time-out");
    cr_assert_eq(t.g.winner, 0, "jokers that are the whole hand can only be discarded together");
}

Test(time_out, discards_the_highest_card_of_the_starter)
{
    PLACE(&t, .round_1 = true, .play = true, .hands = {"9S QS X 2C"});
    table_do(&t, "time-out");
    cr_assert_str_eq(table_discard(&t), "QS1");
}

Test(time_out, returns_staged_melds_and_a_draw_that_requires_opening)
{
    PLACE(&t, .hands = {"TD TC 2C 3D"}, .discard = "KC TH", .stock = "9D");
    table_do(&t, "take, meld TD TC TH, time-out");
    cr_assert_eq(t.out.events[0].type, ENG_EV_TIMED_OUT);
    cr_assert_eq(t.out.events[1].type, ENG_EV_TAKEN_BACK);
    cr_assert_eq(t.out.events[2].type, ENG_EV_DRAW_CANCELLED);
    cr_assert_eq(t.out.events[3].type, ENG_EV_DREW);
    cr_assert_eq(t.out.events[4].type, ENG_EV_DISCARDED);
    cr_assert_eq(t.out.events[5].type, ENG_EV_TURN);
    cr_assert_str_eq(table_discard(&t), "KC1 TH1 9D1");
    cr_assert_str_eq(table_hand(&t, 0), "2C1 TC1 3D1 TD1");
    PLACE(&t, .hands = {"TD TC TH 2C 3D"}, .stock = "9D");
    table_do(&t, "stock, meld TD TC TH, time-out");
    cr_assert_str_eq(table_discard(&t), "9D1");
    cr_assert_str_eq(table_hand(&t, 0), "2C1 TC1 TH1 3D1 TD1");
}

Test(time_out, keeps_melds_that_opened)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC 2C 3D"}, .discard = "TH");
    table_do(&t, "take, meld 6S 7S 8S, meld TD TC TH, time-out");
    cr_assert_eq(t.g.opened, 1);
    cr_assert_str_eq(table_discard(&t), "3D1", "the drawn card is in a meld: the highest is discarded");
}

Test(time_out, puts_back_an_unused_swapped_joker)
{
    PLACE(&t, .opened = "0", .hands = {"6H KD 2C 3C"}, .melds = {"1 5H X 7H", "1 KH KS X"}, .stock = "4D");
    table_do(&t, "stock, swap 6H m0, swap KD m1, lay X1 m0 high, time-out");
    cr_assert_not_null(table_event(&t, ENG_EV_SWAP_UNDONE));
    cr_assert_eq(table_event(&t, ENG_EV_SWAP_UNDONE)->meld, 1);
    cr_assert_str_eq(table_meld(&t, 0), "5H1 6H1 7H1 X1", "a used one stays");
    cr_assert_str_eq(table_meld(&t, 1), "KH1 KS1 X2");
    cr_assert_str_eq(table_hand(&t, 0), "2C1 3C1 KD1");
    cr_assert_str_eq(table_discard(&t), "4D1");
}

static void other_seat_plays(void)
{
    uint64_t rng = 5;
    struct eng_move m;
    while (t.g.to_move == 1) {
        play_plain(&t.g, &rng, &m);
        cr_assert_eq(eng_apply(&t.g, &m, &t.out), ENG_OK);
    }
}

Test(time_out, three_in_a_row_mark_the_seat_away_until_its_player_returns)
{
    PLACE(&t, .players = 2, .hands = {"AC 2C", "KC KD KS"});
    for (int i = 1; i <= 3; i++) {
        table_do(&t, "time-out");
        cr_assert_eq(table_event(&t, ENG_EV_TIMED_OUT)->timed_out.in_a_row, i);
        cr_assert_eq(table_event(&t, ENG_EV_AWAY) != NULL, i == 3);
        other_seat_plays();
    }
    cr_assert(eng_seat_is_away(&t.g, 0));
    table_do(&t, "stock, throw 2C"); /* the bot, for the seat */
    other_seat_plays();
    cr_assert(eng_seat_is_away(&t.g, 0), "only its player ends that");
    table_do(&t, "return @0");
    cr_assert_eq(table_event(&t, ENG_EV_RETURNED)->seat, 0);
    cr_assert_not(eng_seat_is_away(&t.g, 0));
    table_do(&t, "time-out");
    cr_assert_eq(table_event(&t, ENG_EV_TIMED_OUT)->timed_out.in_a_row, 1, "counted from the start again");
}

Test(time_out, each_hand_counts_from_zero_and_away_seats_remain_away)
{
    uint8_t key[ENG_KEY_BYTES] = {9};
    eng_init(&t.g, eng_params_find("treff"), 2);
    eng_deal(&t.g, key, &t.out);
    while (t.g.phase != ENG_HAND_OVER)
        cr_assert_eq(table_try(&t, "time-out"), ENG_OK);
    cr_assert(eng_seat_is_away(&t.g, 0) && eng_seat_is_away(&t.g, 1));
    eng_deal(&t.g, key, &t.out);
    cr_assert(eng_seat_is_away(&t.g, 0) && eng_seat_is_away(&t.g, 1));
    table_do(&t, "time-out");
    cr_assert_eq(table_event(&t, ENG_EV_TIMED_OUT)->timed_out.in_a_row, 1);
}

Test(time_out, a_move_of_the_player_resets_the_count)
{
    PLACE(&t, .players = 2, .hands = {"AC 2C", "KC KD KS"});
    for (int i = 0; i < 4; i++) {
        table_do(&t, "time-out");
        other_seat_plays();
        table_do(&t, "stock, time-out");
        cr_assert_eq(table_event(&t, ENG_EV_TIMED_OUT)->timed_out.in_a_row, 1);
        other_seat_plays();
    }
}

/* ---- Leaving ---- */

Test(leave, any_seat_can_leave_once_at_any_time)
{
    PLACE(&t, .hands = {"KS 2C"});
    table_do(&t, "leave @2");
    cr_assert_eq(table_event(&t, ENG_EV_LEFT)->seat, 2);
    cr_assert(eng_seat_is_away(&t.g, 2));
    table_refuse(&t, "leave @2", ENG_ALREADY_LEFT);
    table_refuse(&t, "return @2", ENG_ALREADY_LEFT);
    table_refuse(&t, "return @1", ENG_NOT_AWAY);
    table_do(&t, "stock");
    cr_assert_eq(t.g.to_move, 0, "the turn continues");
}

Test(leave, a_bot_continues_for_the_seat)
{
    PLACE(&t, .to_move = 2, .hands = {NULL, NULL, "KS 2C"}, .stock = "4D");
    table_do(&t, "leave @2, stock, throw 4D");
    cr_assert_eq(t.g.to_move, 3);
}

/* ---- The stall guard ---- */

Test(turns, a_hundred_turns_each_end_the_hand)
{
    PLACE(&t, .players = 2, .turns = {99, 99}, .opened = "0", .hands = {"5C 6D", "5D 6S"}, .stock = "KD KS");
    table_do(&t, "stock, throw KD");
    cr_assert_eq(t.g.ending, 0);
    table_do(&t, "stock, throw KS");
    cr_assert_eq(t.g.ending, ENG_ENDED_STALLED);
    cr_assert_eq(t.g.winner, ENG_NO_SEAT);
    cr_assert_eq(t.g.points[0], 11);
    cr_assert_eq(t.g.points[1], 100);
    /* Going out in the very last turn counts as going out. */
    PLACE(&t, .players = 2, .turns = {100, 99}, .to_move = 1, .opened = "1", .hands = {"5C 6D", "3S"},
          .stock = "6S", .melds = {"0 3C 4C 5C", "1 7S 8S 9S"});
    table_do(&t, "stock, lay 6S m1, throw 3S");
    cr_assert_eq(t.g.ending, ENG_ENDED_OUT);
    cr_assert_eq(t.g.winner, 1);
}

Test(turns, the_number_of_melds_per_turn_is_limited)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC"}, .discard = "2C");
    table_do(&t, "take");
    for (int i = 0; i < ENG_TURN_MOVES_MAX; i++)
        table_do(&t, "meld 6S 7S 8S, back m0");
    table_refuse(&t, "meld 6S 7S 8S", ENG_TURN_TOO_LONG);
    table_do(&t, "cancel, stock, throw TD");
}

/* The memory of a table and of a record relies on this limit: no more moves are possible. */
Test(turns, the_number_of_moves_per_hand_is_limited)
{
    const struct eng_params *p = eng_params_find("rummy51");
    int turns = p->stall_turns * p->players_max;
    int in_turn = 2 * ENG_TURN_MOVES_MAX + 4; /* melds and take-backs; two draws, a cancel, a discard */
    int for_good = 2 * (turns + eng_params_cards(p)); /* each lay-off or swap of a natural is permanent */
    int coming_and_going = 2 * turns;                 /* leaving and returning */
    cr_assert_lt(turns * in_turn + for_good + coming_and_going, ENG_HAND_MOVES_MAX);
}
