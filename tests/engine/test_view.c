/* Views: if two games differ only in what a seat may not see, they give that seat the same bytes. The
 * hidden part is changed in every way that preserves the public facts: other cards in others' hands and in
 * the stock, another random stream. The games are random play, so that the views of many situations are
 * compared. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/engine/play.h"
#include "tests/engine/prove.h"
#include "tests/engine/table.h"

static void views_equal(const struct eng_game *g, uint8_t viewer, uint64_t *rng)
{
    struct eng_view one, other;
    struct eng_game changed = *g;
    prove_change_hidden(&changed, viewer, rng);
    memset(&one, 0x55, sizeof one); /* every byte is written */
    memset(&other, 0xaa, sizeof other);
    eng_view(g, viewer, &one);
    eng_view(&changed, viewer, &other);
    cr_assert_eq(one.params, &g->params);
    other.params = one.params;
    cr_assert_eq(memcmp(&one, &other, sizeof one), 0, "viewer %d", viewer);
}

Test(view, does_not_depend_on_information_hidden_from_the_viewer)
{
    uint64_t rng = 11;
    for (uint64_t game = 0; game < 40; game++) {
        struct eng_game g;
        struct eng_outcome out;
        int players = 2 + (int)(game % 3);
        play_deal(&g, play_row(game / 3), players, game, &out);
        for (int i = 0; i < 1500 && eng_seat_to_move(&g) != ENG_NO_SEAT; i++) {
            struct eng_move m;
            for (uint8_t viewer = 0; viewer < players; viewer++)
                views_equal(&g, viewer, &rng);
            views_equal(&g, ENG_SPECTATOR, &rng);
            play_propose(&g, &rng, &m);
            eng_apply(&g, &m, &out);
        }
    }
}

Test(view, shows_a_seat_its_hand_and_the_public_facts)
{
    struct table t;
    struct eng_view v;
    PLACE(&t, .opened = "0", .hands = {"KS 2C", "3C"}, .melds = {"1 3S 4S 5S", "1 5H 5S 5D"},
          .discard = "9H 4C", .stock = "4D");
    table_do(&t, "stock");
    eng_view(&t.g, 0, &v);
    cr_assert_eq(v.hand_n, 3);
    cr_assert_eq(v.drawn_card, eng_card_parse("4D1", 3));
    cr_assert_eq(v.discard_n, 2);
    cr_assert_eq(v.discard[1], eng_card_parse("4C1", 3));
    cr_assert_eq(v.melds_n, 2);
    cr_assert_eq(v.melds[0].kind, ENG_RUN);
    cr_assert_eq(v.melds[0].low, 2);
    cr_assert_eq(v.melds[1].kind, ENG_SET);
    cr_assert_eq(v.melds[1].low, 4);
    cr_assert_eq(v.round[0], 2);
    cr_assert_eq(v.opening_min, 51);
    eng_view(&t.g, 1, &v);
    cr_assert_eq(v.drawn_card, ENG_NO_CARD);
    cr_assert_eq(v.hand_n, 1);
    cr_assert_eq(v.cards_n[0], 3);
    eng_view(&t.g, ENG_SPECTATOR, &v);
    cr_assert_eq(v.hand_n, 0);
}

Test(view, shows_a_card_taken_from_the_discard_pile_to_all)
{
    struct table t;
    struct eng_view v;
    PLACE(&t, .hands = {"KS 2C"}, .discard = "9H");
    table_do(&t, "take");
    eng_view(&t.g, 2, &v);
    cr_assert_eq(v.drawn_card, eng_card_parse("9H1", 3));
    cr_assert(v.must_open && v.may_cancel_draw);
}

Test(event, is_shown_complete_or_without_its_cards)
{
    struct table t;
    struct eng_event seen;
    PLACE(&t, .hands = {"KS 2C"}, .stock = "4D");
    table_do(&t, "stock");
    const struct eng_event *drew = table_event(&t, ENG_EV_DREW);
    eng_event_view(drew, 0, &seen);
    cr_assert_eq(seen.n, 1);
    cr_assert_eq(memcmp(&seen, drew, sizeof seen), 0);
    eng_event_view(drew, 1, &seen);
    cr_assert_eq(seen.n, 0);
    cr_assert_eq(seen.cards[0], 0);
    eng_event_view(drew, ENG_SPECTATOR, &seen);
    cr_assert_eq(seen.n, 0);
    play_deal(&t.g, eng_params_find("rummy51"), 4, 1, &t.out);
    eng_event_view(&t.out.events[2], 1, &seen);
    cr_assert_eq(seen.n, 0);
    cr_assert_eq(seen.dealt.cards_n, t.out.events[2].n, "how many cards is public");
}
