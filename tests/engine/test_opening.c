/* Openings: docs/rules.md §3.1, §3.2 and §5. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/engine/table.h"

static struct table t;

Test(opening, fifty_one_points_open_in_the_second_round)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC TH 2C 3D"}, .stock = "4D");
    table_do(&t, "stock, meld 6S 7S 8S");
    cr_assert_eq(table_event(&t, ENG_EV_MELDED)->melded.staged, 1);
    cr_assert_eq(table_event(&t, ENG_EV_MELDED)->melded.worth, 21);
    cr_assert_null(table_event(&t, ENG_EV_OPENED));
    table_do(&t, "meld TD TC TH");
    cr_assert_eq(table_event(&t, ENG_EV_OPENED)->opened.sum, 51);
    table_do(&t, "throw 2C");
    cr_assert_eq(t.g.opened, 1);
    cr_assert_str_eq(table_meld(&t, 0), "6S1 7S1 8S1");
    cr_assert_str_eq(table_meld(&t, 1), "TD1 TC1 TH1");
    cr_assert_str_eq(table_hand(&t, 0), "3D1 4D1");
}

Test(opening, melds_are_refused_in_the_first_round)
{
    PLACE(&t, .round_1 = true, .hands = {"6S 7S 8S TD TC TH 2C"}, .stock = "4D");
    table_do(&t, "stock");
    table_refuse(&t, "meld 6S 7S 8S", ENG_NO_OPENING_IN_FIRST_ROUND);
    table_do(&t, "throw 2C");
}

Test(opening, each_seat_has_its_own_first_round)
{
    PLACE(&t, .turns = {2, 0, 1, 1}, .to_move = 1, .hands = {NULL, "6S 7S 8S TD TC TH 2C"});
    table_do(&t, "stock");
    table_refuse(&t, "meld 6S 7S 8S", ENG_NO_OPENING_IN_FIRST_ROUND);
    PLACE(&t, .turns = {0, 1, 0, 0}, .to_move = 1, .hands = {NULL, "6S 7S 8S TD TC TH 2C"});
    table_do(&t, "stock, meld 6S 7S 8S");
}

Test(opening, forty_eight_points_do_not_open)
{
    PLACE(&t, .hands = {"5S 6S 7S TD TC TH 2C"}, .stock = "4D", .melds = {"1 3H 4H 5H", "1 KH KS X"});
    table_do(&t, "stock, meld 5S 6S 7S, meld TD TC TH");
    cr_assert_eq(t.g.staged_sum, 48);
    table_refuse(&t, "throw 2C", ENG_OPENING_BELOW_MINIMUM);
    table_refuse(&t, "lay 2C m0", ENG_OPENING_BELOW_MINIMUM);
    table_refuse(&t, "swap 2C m1", ENG_OPENING_BELOW_MINIMUM);
    table_do(&t, "back, throw 2C");
    cr_assert_eq(t.g.opened, 2);
    cr_assert_str_eq(table_hand(&t, 0), "TC1 5S1 6S1 7S1 TH1 4D1 TD1");
}

Test(opening, the_other_worked_examples_open)
{
    PLACE(&t, .hands = {"AC 2C 3C 9D 9H 9S 9C 4D"});
    table_do(&t, "stock, meld AC 2C 3C, meld 9D 9H 9S 9C");
    cr_assert_eq(table_event(&t, ENG_EV_OPENED)->opened.sum, 51);
    PLACE(&t, .hands = {"KH KS X 7C 7D 7H 4D"});
    table_do(&t, "stock, meld KH KS X, meld 7C 7D 7H, throw 4D");
    cr_assert_eq(t.g.opened, 1);
    PLACE(&t, .hands = {"X X KH 7C 7D 7H 4D"});
    table_do(&t, "stock");
    table_refuse(&t, "meld X X KH", ENG_TOO_MANY_JOKERS);
    cr_assert_str_eq(table_blamed(&t), "X1 X2");
    PLACE(&t, .hands = {"TH TC TD X 5C 6C 7C 4D"});
    table_do(&t, "stock, meld TH TC TD X, meld 5C 6C 7C");
    cr_assert_eq(table_event(&t, ENG_EV_OPENED)->opened.sum, 58);
}

Test(opening, several_groups_may_each_have_a_joker)
{
    PLACE(&t, .hands = {"KH KS X QH QS X 4D"});
    table_do(&t, "stock, meld KH KS X, meld QH QS X, throw 4D");
    cr_assert_eq(t.g.opened, 1);
}

Test(opening, the_limit_of_jokers_lasts_for_the_opening_turn)
{
    PLACE(&t, .hands = {"KH KS KD 7C 8C 9C 5H 8H X X X 2C"}, .melds = {"1 3S 4S 5S"});
    table_do(&t, "stock, meld KH KS KD, meld 7C 8C 9C");
    cr_assert(t.g.opening_turn);
    table_refuse(&t, "meld 5H X X 8H", ENG_TOO_MANY_JOKERS);
    table_do(&t, "lay X m2 high");
    table_refuse(&t, "lay X m2 low", ENG_TOO_MANY_JOKERS);
    table_do(&t, "lay X m0 high, lay X m0 low, throw 2C");
    cr_assert_str_eq(table_meld(&t, 0), "X3 3S1 4S1 5S1 X2");
}

Test(opening, melds_after_the_opening_may_have_any_number_of_jokers)
{
    PLACE(&t, .hands = {"5H 8H X X 2C"}, .opened = "0");
    table_do(&t, "stock, meld 5H X X 8H, throw 2C");
    cr_assert_str_eq(table_meld(&t, 0), "5H1 X1 X2 8H1");
    PLACE(&t, .hands = {"KH X X 2C"}, .opened = "0");
    table_do(&t, "stock, meld X X KH, throw 2C");
}

Test(opening, lay_offs_do_not_count_and_must_follow_the_opening)
{
    PLACE(&t, .hands = {"5S 6S 7S TD TC TH 8H 2C"}, .melds = {"1 5H 6H 7H"});
    table_do(&t, "stock");
    table_refuse(&t, "lay 8H m0", ENG_MUST_OPEN_FIRST);
    table_do(&t, "meld 5S 6S 7S, meld TD TC TH");
    table_refuse(&t, "lay 8H m0", ENG_OPENING_BELOW_MINIMUM);
    PLACE(&t, .hands = {"6S 7S 8S TD TC TH 8H 2C 3C"}, .melds = {"1 5H 6H 7H"});
    table_do(&t, "stock, meld 6S 7S 8S, meld TD TC TH, lay 8H m0, throw 2C");
    cr_assert_str_eq(table_meld(&t, 0), "5H1 6H1 7H1 8H1");
}

Test(opening, staged_melds_can_be_taken_back_one_by_one)
{
    PLACE(&t, .hands = {"5S 6S 7S 2D 2C 2H KC KD"}, .melds = {"1 5H 6H 7H"});
    table_do(&t, "stock, meld 5S 6S 7S, meld 2D 2C 2H, back m1");
    cr_assert_eq(table_event(&t, ENG_EV_TAKEN_BACK)->meld, 1);
    cr_assert_eq(table_event(&t, ENG_EV_TAKEN_BACK)->n, 3);
    cr_assert_eq(t.g.staged_sum, 6);
    table_refuse(&t, "back m1", ENG_NO_SUCH_MELD);
    table_refuse(&t, "back m0", ENG_NOT_STAGED);
    table_do(&t, "meld 5S 6S 7S");
    cr_assert_eq(table_event(&t, ENG_EV_MELDED)->meld, 1, "the free id is reused");
    table_do(&t, "back");
    table_refuse(&t, "back", ENG_NOT_STAGED);
    table_do(&t, "throw KC");
}

Test(opening, melds_that_opened_cannot_be_taken_back)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC TH 2C 3D"});
    table_do(&t, "stock, meld 6S 7S 8S, meld TD TC TH");
    table_refuse(&t, "back m0", ENG_NOT_STAGED);
    table_refuse(&t, "back", ENG_NOT_STAGED);
}

Test(opening, a_card_to_discard_is_kept_at_every_step)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC"}, .stock = "TH");
    table_do(&t, "stock, meld 6S 7S 8S");
    table_refuse(&t, "meld TD TC TH", ENG_MUST_KEEP_A_DISCARD);
    /* Below the minimum, a last joker cannot be discarded; after opening it can. */
    PLACE(&t, .hands = {"2S 3S 4S X"}, .stock = "5S");
    table_do(&t, "stock");
    table_refuse(&t, "meld 2S 3S 4S 5S", ENG_MUST_KEEP_A_DISCARD);
    PLACE(&t, .hands = {"KS KD KH TD TC X"}, .stock = "TH");
    table_do(&t, "stock, meld KS KD KH, meld TD TC TH, throw X");
    cr_assert_eq(t.g.winner, 0);
}

/* ---- The discard while unopened ---- */

Test(opening, taking_the_discard_requires_opening)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC 2C 3D"}, .discard = "TH");
    table_do(&t, "take");
    cr_assert_eq(table_event(&t, ENG_EV_DREW)->drew.must_open, 1);
    cr_assert_eq(table_event(&t, ENG_EV_DREW)->private_to, ENG_NO_SEAT);
    table_refuse(&t, "throw 2C", ENG_MUST_OPEN_THIS_TURN);
    cr_assert_str_eq(table_blamed(&t), "TH1");
    table_do(&t, "meld TD TC TH");
    table_refuse(&t, "throw 2C", ENG_MUST_OPEN_THIS_TURN);
    table_do(&t, "meld 6S 7S 8S");
    table_refuse(&t, "cancel", ENG_NOTHING_TO_CANCEL);
    table_do(&t, "throw 2C");
    cr_assert_eq(t.g.opened, 1);
}

Test(opening, the_taken_card_need_not_be_in_the_opening)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC TH 3D"}, .discard = "2C");
    table_do(&t, "take, meld 6S 7S 8S, meld TD TC TH, throw 2C");
    cr_assert_eq(t.g.opened, 1);
    /* The option overrides this. */
    struct eng_params p = *eng_params_find("rummy51");
    p.taken_discard_in_opening = 1;
    PLACE(&t, .params = &p, .hands = {"6S 7S 8S TD TC TH 3D 3C 3H"}, .discard = "3S");
    table_do(&t, "take, meld 6S 7S 8S, meld TD TC TH");
    cr_assert_eq(t.g.opened, 0);
    table_refuse(&t, "throw 3D", ENG_MUST_OPEN_THIS_TURN);
    table_do(&t, "meld 3S 3C 3H, throw 3D");
    cr_assert_eq(t.g.opened, 1);
}

Test(opening, after_a_canceled_draw_only_the_stock_is_available)
{
    PLACE(&t, .hands = {"6S 7S 8S TD TC 2C 3D"}, .discard = "KC TH", .stock = "9D");
    table_do(&t, "take, meld TD TC TH, cancel");
    cr_assert_not_null(table_event(&t, ENG_EV_TAKEN_BACK));
    cr_assert_str_eq(table_discard(&t), "KC1 TH1");
    cr_assert_str_eq(table_hand(&t, 0), "2C1 TC1 6S1 7S1 8S1 3D1 TD1");
    table_refuse(&t, "take", ENG_STOCK_ONLY);
    table_refuse(&t, "throw 2C", ENG_MUST_DRAW_FIRST);
    table_refuse(&t, "cancel", ENG_NOTHING_TO_CANCEL);
    table_do(&t, "stock, throw 2C");
    cr_assert_str_eq(table_discard(&t), "KC1 TH1 2C1");
}

Test(opening, taking_the_discard_is_free_in_round_one_and_after_opening)
{
    PLACE(&t, .round_1 = true, .hands = {"2C 3D"}, .discard = "TH");
    table_do(&t, "take");
    cr_assert_eq(table_event(&t, ENG_EV_DREW)->drew.must_open, 0);
    table_refuse(&t, "cancel", ENG_NOTHING_TO_CANCEL);
    table_do(&t, "throw TH"); /* discarding the taken card is allowed */
    PLACE(&t, .opened = "0", .hands = {"2C 3D"}, .discard = "TH");
    table_do(&t, "take");
    table_refuse(&t, "cancel", ENG_NOTHING_TO_CANCEL);
    table_do(&t, "throw 2C");
}

/* ---- Rows of later variants ---- */

Test(opening, a_variant_can_return_melds_below_the_minimum)
{
    struct eng_params p = *eng_params_find("rummy51");
    p.opening_min = 40;
    p.below_minimum = ENG_BELOW_RETURNED;
    p.meld_in_round_1 = 1;
    p.ace_high_points = 11;
    PLACE(&t, .params = &p, .round_1 = true, .hands = {"TH JH QH 3S 3D 3C 2C"}, .stock = "4C");
    table_do(&t, "stock, meld TH JH QH, meld 3S 3D 3C, throw 2C");
    cr_assert_eq(t.g.opened, 0);
    cr_assert_str_eq(table_hand(&t, 0), "3C1 4C1 3S1 TH1 JH1 QH1 3D1");
    PLACE(&t, .params = &p, .round_1 = true, .hands = {"QS KS AS 3S 3D 3C 2C"});
    table_do(&t, "stock, meld QS KS AS, meld 3S 3D 3C, throw 2C");
    cr_assert_eq(t.g.opened, 1);
}

Test(opening, without_a_minimum_the_first_meld_opens)
{
    struct eng_params p = *eng_params_find("rummy51");
    p.opening_min = 0;
    PLACE(&t, .params = &p, .hands = {"2S 3S 4S 5C 6C"}, .melds = {"1 5H 6H 7H"});
    table_do(&t, "stock, meld 2S 3S 4S, throw 5C");
    cr_assert_eq(t.g.opened, 3);
    p.lay_off_unopened = 1;
    p.discard_obliges = 0;
    PLACE(&t, .params = &p, .hands = {"8H 5C 6C"}, .melds = {"1 5H 6H 7H"});
    table_do(&t, "stock, lay 8H m0, throw 5C");
    cr_assert_eq(t.g.opened, 3);
}
