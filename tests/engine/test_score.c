/* Points and places: docs/rules.md §6. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/engine/table.h"

static struct table t;

static const struct eng_event *score_of(uint8_t seat)
{
    for (int i = 0; i < t.out.events_n; i++)
        if (t.out.events[i].type == ENG_EV_SCORED && t.out.events[i].seat == seat)
            return &t.out.events[i];
    cr_assert_fail("no score");
    return NULL;
}

static void expect(uint8_t seat, int points, int place, int cards, int flags)
{
    const struct eng_event *e = score_of(seat);
    cr_assert_eq(e->scored.points, points, "seat %d: %d points", seat, e->scored.points);
    cr_assert_eq(e->scored.place, place, "seat %d: place %d", seat, e->scored.place);
    cr_assert_eq(e->scored.cards_left, cards, "seat %d: %d cards", seat, e->scored.cards_left);
    cr_assert_eq(e->scored.flags, flags, "seat %d: flags %d", seat, e->scored.flags);
    cr_assert_eq(e->n, cards, "the hand is open now");
    cr_assert_eq(t.g.points[seat], points);
    cr_assert_eq(t.g.place[seat], place);
}

Test(score, the_winner_gets_minus_40_the_others_their_hands_or_100)
{
    PLACE(&t, .opened = "0 1 2", .hands = {"5S", "X KC AC 9C", "2C 3D", "2D 2H"}, .stock = "9D");
    table_do(&t, "stock, throw 9D, stock, throw 9C, stock, throw 3D, stock, throw 2H");
    PLACE(&t, .opened = "0 1 2", .hands = {"9D", "X KC AC 9C", "2C 3D", "2D 2H"}, .stock = "5S",
          .melds = {"0 2S 3S 4S"});
    table_do(&t, "stock, lay 5S m0, throw 9D");
    cr_assert_eq(table_event(&t, ENG_EV_HAND_ENDED)->seat, 0);
    cr_assert_eq(table_event(&t, ENG_EV_HAND_ENDED)->hand_ended.ending, ENG_ENDED_OUT);
    cr_assert_eq(table_event(&t, ENG_EV_HAND_ENDED)->hand_ended.rummy, 0);
    cr_assert_eq(table_event(&t, ENG_EV_SESSION_ENDED)->seat, 0);
    expect(0, -40, 1, 0, ENG_SCORE_OPENED | ENG_SCORE_WON);
    expect(1, 20 + 10 + 10 + 9, 3, 4, ENG_SCORE_OPENED);
    expect(2, 5, 2, 2, ENG_SCORE_OPENED);
    expect(3, 100, 4, 2, 0);
}

Test(score, going_out_in_one_turn_is_a_rummy)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC TH 5D"}, .stock = "9S");
    table_do(&t, "stock, meld 6S 7S 8S 9S, meld TD TC TH, throw 5D");
    cr_assert_eq(table_event(&t, ENG_EV_HAND_ENDED)->hand_ended.rummy, 1);
    expect(0, -40, 1, 0, ENG_SCORE_OPENED | ENG_SCORE_WON | ENG_SCORE_RUMMY);
    /* The bonus comes from the variant's `hand_win_points`; it is not a constant. */
    struct eng_params p = *eng_params_find("rummy51");
    p.hand_win_points = -80;
    PLACE(&t, .params = &p, .hands = {"6S 7S 8S TD TC TH 5D"}, .stock = "9S");
    table_do(&t, "stock, meld 6S 7S 8S 9S, meld TD TC TH, throw 5D");
    expect(0, -80, 1, 0, ENG_SCORE_OPENED | ENG_SCORE_WON | ENG_SCORE_RUMMY);
}

/* Seat 0 goes out; the others' hands decide the scores. */
static void ends_with(const char *opened, const char *one, const char *two, const char *three)
{
    PLACE(&t, .opened = opened, .hands = {"9D", one, two, three}, .stock = "5S", .melds = {"0 2S 3S 4S"});
    table_do(&t, "stock, lay 5S m0, throw 9D");
}

static void places(int one, int two, int three)
{
    cr_assert_eq(t.g.place[0], 1);
    cr_assert_eq(t.g.place[1], one);
    cr_assert_eq(t.g.place[2], two);
    cr_assert_eq(t.g.place[3], three);
}

Test(score, ties_put_opened_before_unopened)
{
    struct eng_params p = *eng_params_find("rummy51");
    p.never_opened_points = 20;
    PLACE(&t, .params = &p, .opened = "0 3", .hands = {"9D", "2C", "3C", "KC KD"}, .stock = "5S",
          .melds = {"0 2S 3S 4S"});
    table_do(&t, "stock, lay 5S m0, throw 9D");
    cr_assert_eq(t.g.points[1], 20);
    cr_assert_eq(t.g.points[3], 20);
    places(3, 4, 2);
}

Test(score, ties_put_the_smaller_hand_first)
{
    ends_with("0", "KC KD", "KH 9H", "2C 2D"); /* all 100 */
    places(4, 3, 2);
}

Test(score, ties_put_fewer_cards_first)
{
    ends_with("0 1 2 3", "2C 3C 5C", "KC", "4C 6C");
    places(4, 2, 3);
}

Test(score, ties_follow_the_turn_order_after_the_winner)
{
    ends_with("0 1 2 3", "KC", "KD", "KH");
    places(2, 3, 4);
    PLACE(&t, .to_move = 2, .opened = "0 1 2 3", .hands = {"KC", "KD", "9D", "KH"}, .stock = "5S",
          .melds = {"0 2S 3S 4S"});
    table_do(&t, "stock, lay 5S m0, throw 9D");
    cr_assert_eq(t.g.place[2], 1);
    cr_assert_eq(t.g.place[3], 2);
    cr_assert_eq(t.g.place[0], 3);
    cr_assert_eq(t.g.place[1], 4);
}

Test(score, a_player_who_left_is_placed_last)
{
    PLACE(&t, .opened = "0 1 2", .hands = {"9D", "2C", "KC KD KH", "3D"}, .stock = "5S",
          .melds = {"0 2S 3S 4S"});
    table_do(&t, "leave @1, stock, lay 5S m0, throw 9D");
    expect(1, 2, 4, 1, ENG_SCORE_OPENED | ENG_SCORE_LEFT);
    places(4, 2, 3);
}

Test(score, the_bot_of_a_player_who_left_can_go_out_but_not_win)
{
    PLACE(&t, .opened = "0 1 2", .hands = {"9D", "2C", "KC KD KH", "3D"}, .stock = "5S",
          .melds = {"0 2S 3S 4S"});
    table_do(&t, "leave @0, stock, lay 5S m0, throw 9D");
    expect(0, -40, 4, 0, ENG_SCORE_OPENED | ENG_SCORE_LEFT);
    expect(1, 2, 1, 1, ENG_SCORE_OPENED | ENG_SCORE_WON);
    cr_assert_eq(t.g.winner, 1);
    cr_assert_eq(table_event(&t, ENG_EV_SESSION_ENDED)->seat, 1);
}

Test(score, there_is_no_winner_when_all_players_have_left)
{
    PLACE(&t, .opened = "0 1 2", .hands = {"9D", "2C", "KC KD KH", "3D"}, .stock = "5S",
          .melds = {"0 2S 3S 4S"});
    table_do(&t, "leave @0, leave @1, leave @2, leave @3, stock, lay 5S m0, throw 9D");
    cr_assert_eq(t.g.winner, ENG_NO_SEAT);
    cr_assert_eq(t.g.place[0], 1);
}
