/* What achievements ask of a game, from its events. */
#include "tables/achievement_facts.h"

#include <criterion/criterion.h>
#include <string.h>

static uint8_t joker(void)
{
    uint8_t card = 0;
    while (!eng_card_is_joker(card))
        card++;
    return card;
}

static struct tab_achievement_facts facts[ENG_SEAT_MAX];

static void note(struct eng_event event)
{
    tab_achievement_facts_note(facts, &event);
}

static void clear(void)
{
    memset(facts, 0, sizeof(facts));
}

Test(achievement_facts, an_opening_belongs_to_its_seat, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_OPENED, .seat = 2, .opened.sum = 51});
    cr_expect_eq(facts[2].opening, 51);
    cr_expect_eq(facts[1].opening, 0);
}

/* Where a lay-off needs no meld of one's own it opens, too, with nothing. */
Test(achievement_facts, a_lay_off_may_be_an_opening_of_no_worth, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_OPENED, .seat = 2, .opened.sum = 0});
    note((struct eng_event){.type = ENG_EV_LAID_OFF, .seat = 2, .n = 1});
    cr_expect_eq(facts[2].opening, 0);
}

Test(achievement_facts, swaps_that_are_undone_do_not_count, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_SWAPPED, .seat = 1, .n = 2});
    note((struct eng_event){.type = ENG_EV_SWAPPED, .seat = 1, .n = 2});
    note((struct eng_event){.type = ENG_EV_SWAP_UNDONE, .seat = 1, .n = 2});
    cr_expect_eq(facts[1].swaps, 1);
}

Test(achievement_facts, a_buried_joker_stays_and_the_last_discard_counts, .init = clear)
{
    note((struct eng_event){
        .type = ENG_EV_DISCARDED, .seat = 0, .n = 2, .discarded.buried = true, .cards = {joker(), 5}});
    cr_expect(facts[0].buried && facts[0].joker_out);
    note((struct eng_event){.type = ENG_EV_DISCARDED, .seat = 0, .n = 1, .cards = {5}});
    cr_expect(facts[0].buried && !facts[0].joker_out);
    note((struct eng_event){.type = ENG_EV_DISCARDED, .seat = 0, .n = 1, .cards = {joker()}});
    cr_expect(facts[0].joker_out);
}

Test(achievement_facts, events_of_the_table_are_nobody_s, .init = clear)
{
    static const struct tab_achievement_facts none[ENG_SEAT_MAX];
    note((struct eng_event){.type = ENG_EV_HAND_ENDED, .seat = ENG_NO_SEAT});
    note((struct eng_event){.type = ENG_EV_TURN, .seat = 0});
    cr_expect_arr_eq(facts, none, sizeof(facts));
}
