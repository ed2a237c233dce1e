/* Lay-offs, swaps, burying and discards: docs/rules.md §3.1, §3.4 and §4. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/engine/table.h"

static struct table t;

Test(lay_off, opened_players_can_lay_off_on_any_meld)
{
    PLACE(&t, .opened = "0", .hands = {"2S 6S 5C 9C"}, .melds = {"1 3S 4S 5S", "2 5H 5S 5D"});
    table_do(&t, "stock, lay 2S m0, lay 6S m0 high, lay 5C m1");
    cr_assert_eq(table_event(&t, ENG_EV_LAID_OFF)->laid_off.end, ENG_END_NONE);
    cr_assert_eq(table_event(&t, ENG_EV_LAID_OFF)->meld, 1);
    cr_assert_str_eq(table_meld(&t, 0), "2S1 3S1 4S1 5S1 6S1");
    cr_assert_str_eq(table_meld(&t, 1), "5H1 5S2 5D1 5C1");
}

Test(lay_off, the_last_card_cannot_be_laid_off)
{
    PLACE(&t, .opened = "0", .hands = {"2S"}, .stock = "6S", .melds = {"1 3S 4S 5S"});
    table_do(&t, "stock, lay 2S m0");
    table_refuse(&t, "lay 6S m0", ENG_MUST_KEEP_A_DISCARD);
    table_do(&t, "throw 6S");
    cr_assert_eq(t.g.winner, 0);
}

Test(lay_off, a_joker_can_be_discarded_as_the_last_card)
{
    PLACE(&t, .opened = "0", .hands = {"X"}, .stock = "6S", .melds = {"1 3S 4S 5S"});
    table_do(&t, "stock, lay 6S m0, throw X");
    cr_assert_eq(t.g.winner, 0);
    cr_assert_eq(table_event(&t, ENG_EV_DISCARDED)->discarded.buried, 0, "discarded, not buried");
}

Test(lay_off, the_last_three_cards_cannot_be_melded)
{
    PLACE(&t, .opened = "0", .hands = {"7S 8S"}, .stock = "9S");
    table_do(&t, "stock");
    table_refuse(&t, "meld 7S 8S 9S", ENG_MUST_KEEP_A_DISCARD);
    table_do(&t, "throw 9S");
}

/* ---- Swaps ---- */

Test(swap, the_freed_joker_may_be_kept)
{
    PLACE(&t, .opened = "0", .hands = {"6H 2C 3C"}, .melds = {"1 5H X 7H"});
    table_do(&t, "stock, swap 6H m0");
    cr_assert_eq(table_event(&t, ENG_EV_SWAPPED)->swapped.place, 1);
    cr_assert_str_eq(table_meld(&t, 0), "5H1 6H1 7H1");
    struct eng_view view;
    eng_view(&t.g, 1, &view);
    cr_assert_eq(view.freed_jokers, 1);
    table_do(&t, "throw 2C");
    cr_assert(eng_cards_has(&t.g.hand[0], ENG_JOKER_FIRST));
}

Test(swap, the_freed_joker_may_be_used_at_once)
{
    PLACE(&t, .opened = "0", .hands = {"6H 9S 9D 3C"}, .melds = {"1 5H X 7H"});
    table_do(&t, "stock, swap 6H m0, meld 9S 9D X, throw 3C");
    cr_assert_str_eq(table_meld(&t, 1), "9S1 9D1 X1");
}

Test(swap, either_missing_suit_frees_the_joker_of_a_set)
{
    PLACE(&t, .opened = "0", .hands = {"KD KC 2C"}, .melds = {"1 KH KS X"});
    table_do(&t, "stock, swap KC m0");
    cr_assert_str_eq(table_meld(&t, 0), "KH1 KS1 KC1");
    table_do(&t, "lay KD m0");
    PLACE(&t, .opened = "0", .hands = {"KD KC 2C"}, .melds = {"1 KH KS X"});
    table_do(&t, "stock, lay KD m0");
    table_refuse(&t, "swap KD m0", ENG_CARD_NOT_HELD);
    table_do(&t, "swap KC m0");
}

Test(swap, a_swap_can_name_the_joker)
{
    PLACE(&t, .opened = "0", .hands = {"7H 2C 3C"}, .melds = {"1 5H X X 8H"});
    table_do(&t, "stock");
    table_refuse(&t, "swap 7H m0 X1", ENG_SWAP_CARD_DOES_NOT_FIT);
    table_refuse(&t, "swap 7H m0 X3", ENG_NO_JOKER_THERE);
    cr_assert_str_eq(table_blamed(&t), "X3");
    table_do(&t, "swap 7H m0 X2");
    cr_assert_str_eq(table_meld(&t, 0), "5H1 X1 7H1 8H1");
}

Test(swap, both_jokers_of_the_longest_run_can_be_swapped_for_aces)
{
    PLACE(&t, .opened = "0", .hands = {"AC AC 2D"}, .melds = {"1 X 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC X"});
    table_do(&t, "stock, swap AC1 m0 X2");
    cr_assert_eq(table_event(&t, ENG_EV_SWAPPED)->swapped.place, 13);
    table_do(&t, "swap AC2 m0");
    cr_assert_eq(table_event(&t, ENG_EV_SWAPPED)->swapped.place, 0);
}

Test(swap, a_swap_before_opening_is_refused)
{
    PLACE(&t, .hands = {"6H 2C"}, .melds = {"1 5H X 7H"});
    table_do(&t, "stock");
    table_refuse(&t, "swap 6H m0", ENG_MUST_OPEN_FIRST);
}

Test(swap, a_swap_in_the_opening_turn_is_allowed_after_the_minimum)
{
    PLACE(&t, .hands = {"KH KS KD QH QS QD 6H 2C"}, .melds = {"1 5H X 7H"});
    table_do(&t, "stock, meld KH KS KD, meld QH QS QD, swap 6H m0, throw 2C");
}

Test(swap, an_option_requires_using_the_freed_joker)
{
    struct eng_params p = *eng_params_find("rummy51");
    p.swapped_joker_kept = 0;
    PLACE(&t, .params = &p, .opened = "0", .hands = {"6H 9S 9D 3C"}, .melds = {"1 5H X 7H"});
    table_do(&t, "stock, swap 6H m0");
    table_refuse(&t, "throw 3C", ENG_SWAPPED_JOKER_UNUSED);
    cr_assert_str_eq(table_blamed(&t), "X1");
    table_do(&t, "back m0");
    cr_assert_not_null(table_event(&t, ENG_EV_SWAP_UNDONE));
    cr_assert_str_eq(table_meld(&t, 0), "5H1 X1 7H1");
    table_do(&t, "swap 6H m0, meld 9S 9D X, throw 3C");
    /* As the last card of a winning hand it counts as used. */
    PLACE(&t, .params = &p, .opened = "0", .hands = {"6H"}, .stock = "4H", .melds = {"1 5H X 7H"});
    table_do(&t, "stock, swap 6H m0, lay 4H m0, throw X");
    cr_assert_eq(t.g.winner, 0);
}

/* ---- Discards ---- */

Test(discard, a_joker_is_buried_under_one_natural_card)
{
    PLACE(&t, .hands = {"X X 4C 5C"}, .discard = "2C");
    table_do(&t, "stock");
    table_refuse(&t, "throw X", ENG_JOKER_NOT_DISCARDABLE);
    table_refuse(&t, "throw X X", ENG_JOKER_NOT_DISCARDABLE);
    table_refuse(&t, "throw X X 4C", ENG_DISCARD_COUNT);
    table_refuse(&t, "throw 4C 5C", ENG_DISCARD_COUNT);
    table_do(&t, "throw X 4C");
    cr_assert_eq(table_event(&t, ENG_EV_DISCARDED)->discarded.buried, 1);
    cr_assert_str_eq(table_discard(&t), "2C1 X1 4C1");
    PLACE(&t, .hands = {"X X 4C 5C"}, .discard = "2C");
    table_do(&t, "stock, throw 5C X");
    cr_assert_str_eq(table_discard(&t), "2C1 X1 5C1", "the natural card comes on top");
}

Test(discard, burying_works_in_any_turn)
{
    PLACE(&t, .round_1 = true, .play = true, .hands = {"X 4C 5C"});
    table_do(&t, "throw X 4C");
}

Test(discard, burying_the_whole_hand_wins)
{
    PLACE(&t, .opened = "0", .hands = {"X"}, .stock = "4C");
    table_do(&t, "stock, throw X 4C");
    cr_assert_eq(t.g.winner, 0);
    cr_assert_eq(t.g.ending, ENG_ENDED_OUT);
}

Test(discard, jokers_alone_are_discarded_only_together_as_the_whole_hand)
{
    PLACE(&t, .opened = "0", .hands = {"X X"}, .stock = "X");
    table_do(&t, "stock");
    table_refuse(&t, "throw X", ENG_JOKER_NOT_DISCARDABLE);
    table_refuse(&t, "throw X X", ENG_JOKER_NOT_DISCARDABLE);
    table_do(&t, "throw X X X");
    cr_assert_eq(t.g.winner, 0);
}

Test(discard, cards_not_held_or_named_twice_are_refused)
{
    PLACE(&t, .hands = {"X 4C 5C"});
    table_do(&t, "stock");
    table_refuse(&t, "throw 9D", ENG_CARD_NOT_HELD);
    cr_assert_str_eq(table_blamed(&t), "9D1");
    table_refuse(&t, "throw X1 X1", ENG_CARD_NOT_HELD);
    table_refuse(&t, "meld 4C1 4C1 4C1", ENG_CARD_NOT_HELD);
}

Test(discard, a_variant_can_disallow_burying)
{
    struct eng_params p = *eng_params_find("rummy51");
    p.joker_buried = 0;
    PLACE(&t, .params = &p, .opened = "0", .hands = {"X X 4C"}, .melds = {"1 5C 6C 7C"});
    table_do(&t, "stock");
    table_refuse(&t, "throw X 4C", ENG_JOKER_NOT_DISCARDABLE);
    PLACE(&t, .params = &p, .opened = "0", .hands = {"X"}, .stock = "4C", .melds = {"1 5C 6C 7C"});
    table_do(&t, "stock, lay 4C m0, throw X");
    cr_assert_eq(t.g.winner, 0);
    PLACE(&t, .params = &p, .opened = "0", .hands = {"X X"}, .stock = "4C", .melds = {"1 5C 6C 7C"});
    table_do(&t, "stock");
    table_refuse(&t, "lay 4C m0", ENG_MUST_KEEP_A_DISCARD);
}

Test(discard, a_variant_can_forbid_discarding_the_card_just_taken)
{
    struct eng_params p = *eng_params_find("rummy51");
    p.throw_back = 0;
    PLACE(&t, .params = &p, .opened = "0", .hands = {"4C 5D"}, .discard = "9C", .melds = {"1 5C 6C 7C"});
    table_do(&t, "take");
    table_refuse(&t, "throw 9C", ENG_DISCARD_WAS_JUST_TAKEN);
    table_do(&t, "lay 4C m0, throw 5D");
    PLACE(&t, .params = &p, .opened = "0", .hands = {"4C"}, .discard = "9C", .melds = {"1 5C 6C 7C"});
    table_do(&t, "take");
    table_refuse(&t, "lay 4C m0", ENG_MUST_KEEP_A_DISCARD);
}

Test(discard, the_discard_cannot_be_taken_if_no_card_could_be_discarded_then)
{
    struct eng_params p = *eng_params_find("rummy51");
    p.throw_back = 0;
    PLACE(&t, .params = &p, .opened = "0", .hands = {"X"}, .discard = "9C");
    table_refuse(&t, "take", ENG_MUST_KEEP_A_DISCARD);
    PLACE(&t, .params = &p, .opened = "0", .hands = {"X 4C"}, .discard = "9C");
    table_do(&t, "take");
    table_refuse(&t, "throw X 9C", ENG_DISCARD_WAS_JUST_TAKEN);
    table_do(&t, "throw X 4C");
}
