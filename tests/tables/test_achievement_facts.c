/* Facts for achievements, from a game's events. */
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

Test(achievement_facts, an_opening_counts_for_its_seat_only, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_OPENED, .seat = 2, .opened.sum = 51});
    cr_expect_eq(facts[2].opening, 51);
    cr_expect_eq(facts[1].opening, 0);
}

/* Where a lay-off does not require a meld of the player, it counts as an opening without a value. */
Test(achievement_facts, a_lay_off_can_count_as_an_opening_worth_zero, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_OPENED, .seat = 2, .opened.sum = 0});
    note((struct eng_event){.type = ENG_EV_LAID_OFF, .seat = 2, .n = 1});
    cr_expect_eq(facts[2].opening, 0);
}

static void meld(uint8_t type, const char *first, const char *second, uint8_t third)
{
    struct eng_event event = {.type = type, .seat = 1, .n = 3, .cards = {0, 0, third}, .melded.staged = true};
    event.cards[0] = eng_card_parse(first, 3);
    event.cards[1] = eng_card_parse(second, 3);
    cr_assert(event.cards[0] != event.cards[1]);
    if (type == ENG_EV_MELDED)
        event.melded.kind =
            eng_card_suit(event.cards[0]) == eng_card_suit(event.cards[1]) ? ENG_RUN : ENG_SET;
    note(event);
}

Test(achievement_facts, an_opening_is_pure_if_a_run_without_jokers_remains, .init = clear)
{
    const struct eng_event opened = {.type = ENG_EV_OPENED, .seat = 1, .opened.sum = 51};
    uint8_t card = eng_card_parse("7H1", 3);
    meld(ENG_EV_MELDED, "5H1", "6H1", joker());
    meld(ENG_EV_MELDED, "7S1", "7D1", card);
    note(opened);
    cr_expect_not(facts[1].opened_pure, "a run with a joker, and a set");
    clear();
    meld(ENG_EV_MELDED, "5H1", "6H1", card);
    meld(ENG_EV_TAKEN_BACK, "5H1", "6H1", card);
    note(opened);
    cr_expect_not(facts[1].opened_pure, "it was taken back");
    meld(ENG_EV_MELDED, "5H1", "6H1", card);
    note(opened);
    cr_expect(facts[1].opened_pure && !facts[0].opened_pure);
    clear();
    meld(ENG_EV_MELDED, "5H1", "6H1", card);
    note((struct eng_event){.type = ENG_EV_DEALT, .seat = 1});
    note(opened);
    cr_expect_not(facts[1].opened_pure, "of another hand");
}

Test(achievement_facts, an_opening_records_its_turn, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_TURN, .seat = 1, .turn.round = 4});
    note((struct eng_event){.type = ENG_EV_TURN, .seat = 2, .turn.round = 5});
    note((struct eng_event){.type = ENG_EV_OPENED, .seat = 1, .opened.sum = 51});
    note((struct eng_event){.type = ENG_EV_TURN, .seat = 1, .turn.round = 6});
    cr_expect_eq(facts[1].opening_turn, 4);
    cr_expect_eq(facts[2].opening_turn, 0);
}

Test(achievement_facts, melds_are_counted_by_kind_unless_taken_back, .init = clear)
{
    uint8_t card = eng_card_parse("7H1", 3);
    meld(ENG_EV_MELDED, "5H1", "6H1", card);
    meld(ENG_EV_MELDED, "5S1", "6S1", joker());
    meld(ENG_EV_MELDED, "7S1", "7D1", card);
    cr_expect(facts[1].runs == 2 && facts[1].sets == 1);
    meld(ENG_EV_TAKEN_BACK, "5H1", "6H1", card);
    meld(ENG_EV_TAKEN_BACK, "7S1", "7D1", card);
    cr_expect(facts[1].runs == 1 && facts[1].sets == 0);
}

/* After the opening, a run may have a single natural card; the engine determines its kind. */
Test(achievement_facts, a_run_of_jokers_is_a_run, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_MELDED,
                            .seat = 1,
                            .n = 3,
                            .cards = {eng_card_parse("5H1", 3), joker(), joker()},
                            .melded.kind = ENG_RUN});
    cr_expect(facts[1].runs == 1 && facts[1].sets == 0);
}

Test(achievement_facts, undone_swaps_do_not_count, .init = clear)
{
    note((struct eng_event){.type = ENG_EV_SWAPPED, .seat = 1, .n = 2});
    note((struct eng_event){.type = ENG_EV_SWAPPED, .seat = 1, .n = 2});
    note((struct eng_event){.type = ENG_EV_SWAP_UNDONE, .seat = 1, .n = 2});
    cr_expect_eq(facts[1].swaps, 1);
}

Test(achievement_facts, a_buried_joker_is_remembered_and_the_last_discard_counts, .init = clear)
{
    note((struct eng_event){
        .type = ENG_EV_DISCARDED, .seat = 0, .n = 2, .discarded.buried = true, .cards = {joker(), 5}});
    cr_expect(facts[0].buried && facts[0].joker_out);
    note((struct eng_event){.type = ENG_EV_DISCARDED, .seat = 0, .n = 1, .cards = {5}});
    cr_expect(facts[0].buried && !facts[0].joker_out);
    note((struct eng_event){.type = ENG_EV_DISCARDED, .seat = 0, .n = 1, .cards = {joker()}});
    cr_expect(facts[0].joker_out);
}

Test(achievement_facts, table_events_count_for_no_seat, .init = clear)
{
    static const struct tab_achievement_facts none[ENG_SEAT_MAX];
    note((struct eng_event){.type = ENG_EV_HAND_ENDED, .seat = ENG_NO_SEAT});
    note((struct eng_event){.type = ENG_EV_TURN, .seat = 0});
    cr_expect_arr_eq(facts, none, sizeof(facts));
}
