/* Whose discards are taken by whom, from the events of a game. */
#include "tables/throws.h"

#include <criterion/criterion.h>
#include <string.h>

static struct tab_throws throws;

static void note(enum eng_event_type type, uint8_t seat)
{
    tab_throws_note(&throws, &(struct eng_event){.type = (uint8_t)type, .seat = seat});
}

static void draw(uint8_t seat, enum eng_pile pile)
{
    note(ENG_EV_TURN, seat);
    tab_throws_note(&throws,
                    &(struct eng_event){.type = ENG_EV_DREW, .seat = seat, .drew.pile = (uint8_t)pile});
}

static void clear(void)
{
    memset(&throws, 0, sizeof(throws));
}

static void expect(int thrower, int taker, uint32_t chances, uint32_t taken)
{
    cr_expect_eq(throws.of[thrower].chances[taker], chances);
    cr_expect_eq(throws.of[thrower].taken[taker], taken);
}

static void expect_nothing(void)
{
    static const struct tab_throws_of none[ENG_SEAT_MAX];
    cr_expect_arr_eq(throws.of, none, sizeof(none));
}

Test(throws, each_draw_after_a_discard_counts_as_a_chance, .init = clear)
{
    note(ENG_EV_DISCARDED, 0);
    draw(1, ENG_DISCARD_PILE);
    note(ENG_EV_DISCARDED, 1);
    draw(0, ENG_STOCK);
    note(ENG_EV_DISCARDED, 0);
    draw(1, ENG_STOCK);
    expect(0, 1, 2, 1);
    expect(1, 0, 1, 0);
}

Test(throws, the_first_card_of_the_pile_belongs_to_no_seat, .init = clear)
{
    note(ENG_EV_DISCARDED, ENG_NO_SEAT);
    draw(1, ENG_DISCARD_PILE);
    expect_nothing();
}

/* Seat 1 drops: the discard of seat 0 is available to seat 2. */
Test(throws, the_chance_belongs_to_the_seat_that_draws, .init = clear)
{
    note(ENG_EV_DISCARDED, 0);
    note(ENG_EV_TURN, 1);
    note(ENG_EV_DROPPED, 1);
    draw(2, ENG_DISCARD_PILE);
    expect(0, 1, 0, 0);
    expect(0, 2, 1, 1);
}

Test(throws, a_card_that_is_put_back_does_not_count_as_taken, .init = clear)
{
    note(ENG_EV_DISCARDED, 0);
    draw(1, ENG_DISCARD_PILE);
    note(ENG_EV_DRAW_CANCELLED, 1);
    tab_throws_note(&throws, &(struct eng_event){.type = ENG_EV_DREW, .seat = 1, .drew.pile = ENG_STOCK});
    expect(0, 1, 1, 0);
    /* Putting back a card that no seat discarded has no effect. */
    note(ENG_EV_DEALT, 0);
    note(ENG_EV_DISCARDED, ENG_NO_SEAT);
    draw(1, ENG_DISCARD_PILE);
    note(ENG_EV_DRAW_CANCELLED, 1);
    expect(0, 1, 1, 0);
}

Test(throws, another_card_on_top_does_not_count_as_a_discard, .init = clear)
{
    note(ENG_EV_DISCARDED, 0);
    note(ENG_EV_FLIPPED, 1);
    draw(1, ENG_DISCARD_PILE);
    note(ENG_EV_DISCARDED, 1);
    note(ENG_EV_DEALT, 0);
    draw(0, ENG_DISCARD_PILE);
    expect_nothing();
    /* The top card remains if only the cards below it are shuffled. */
    note(ENG_EV_DISCARDED, 0);
    note(ENG_EV_RESHUFFLED, 1);
    draw(1, ENG_STOCK);
    expect(0, 1, 1, 0);
}

Test(throws, moves_made_by_the_timeout_count_for_no_seat, .init = clear)
{
    note(ENG_EV_TURN, 0);
    note(ENG_EV_TIMED_OUT, 0);
    note(ENG_EV_DISCARDED, 0);
    draw(1, ENG_DISCARD_PILE);
    expect_nothing();
    note(ENG_EV_DISCARDED, 1);
    note(ENG_EV_TURN, 0);
    note(ENG_EV_TIMED_OUT, 0);
    tab_throws_note(&throws, &(struct eng_event){.type = ENG_EV_DREW, .seat = 0, .drew.pile = ENG_STOCK});
    expect_nothing();
    /* The player plays the next turn themselves. */
    draw(0, ENG_STOCK);
    note(ENG_EV_DISCARDED, 0);
    draw(1, ENG_DISCARD_PILE);
    expect(0, 1, 1, 1);
}

Test(throws, moves_of_an_absent_players_bot_count_for_no_seat, .init = clear)
{
    note(ENG_EV_AWAY, 1);
    note(ENG_EV_DISCARDED, 0);
    draw(1, ENG_DISCARD_PILE);
    note(ENG_EV_DISCARDED, 1);
    draw(0, ENG_DISCARD_PILE);
    expect_nothing();
    note(ENG_EV_RETURNED, 1);
    note(ENG_EV_DISCARDED, 0);
    draw(1, ENG_DISCARD_PILE);
    expect(0, 1, 1, 1);
    note(ENG_EV_LEFT, 1);
    note(ENG_EV_DISCARDED, 1);
    draw(0, ENG_DISCARD_PILE);
    expect(1, 0, 0, 0);
}
