/* Practice tables that wait for their player; see practice.h. Hub thread. */
#include "tables/practice.h"

#include "base/bug.h"
#include "tables/outbox.h"
#include "tables/state.h"
#include "tables/time_bank.h"

uint8_t tab_practice_seat(const struct tab_table *table)
{
    uint8_t seat = ENG_NO_SEAT;
    if (!table->practice || tab_deal_is_shared(&table->deal) || tab_is_slow(table) ||
        !tab_is_under_way(table))
        return ENG_NO_SEAT;
    for (uint8_t i = 0; i < table->seats_n; i++) {
        if (table->seats[i].person.player_id == 0)
            continue;
        if (seat != ENG_NO_SEAT)
            return ENG_NO_SEAT;
        seat = i;
    }
    struct eng_view view;
    ASSERT(seat < table->seats_n);
    eng_view(&table->game, seat, &view);
    bool out = eng_seat_is_out(&table->game, seat) && !view.may_rejoin;
    return view.left[seat] || out ? ENG_NO_SEAT : seat;
}

/* Whether the table waits for the player. A player who is away between two hands may still be ready for the
 * next one. */
static bool is_waited_for(const struct tab_table *table, uint8_t seat)
{
    bool ready = tab_is_between_hands(table) && (table->ready >> seat & 1) != 0;
    return !table->sockets[seat] || (eng_seat_is_away(&table->game, seat) && !ready);
}

static void go_on(struct tab_table *table, uint8_t joiner)
{
    table->wait_ms = TAB_NEVER;
    table->bot_ms = TAB_NEVER;
    if (tab_is_between_hands(table)) {
        table->next_hand_ms = tab_now(table) + table->registry->limits.hand_pause_ms;
        tab_send_next_hand(table, tab_to_without(tab_to_all(table), joiner));
    } else {
        table->turn_ms = tab_now(table) + tab_clock_ms(table);
        tab_send_clock(table, tab_to_without(tab_to_live(table), joiner));
    }
}

void tab_practice_check(struct tab_table *table, uint8_t joiner)
{
    uint8_t seat = tab_practice_seat(table);
    bool waits = seat != ENG_NO_SEAT && is_waited_for(table, seat);
    ASSERT(!table->writing);
    if (waits && table->wait_ms == TAB_NEVER) {
        tab_time_bank_stop(table);
        table->wait_ms = tab_now(table) + table->registry->limits.practice_wait_ms;
        tab_send_clock(table, tab_to_without(tab_to_live(table), joiner));
    } else if (!waits && table->wait_ms != TAB_NEVER && tab_is_under_way(table)) {
        go_on(table, joiner);
    } else if (!waits) {
        table->wait_ms = TAB_NEVER;
    }
}

void tab_practice_recover(struct tab_table *table, int64_t stood_ms)
{
    int64_t left = table->registry->limits.practice_wait_ms - (stood_ms > 0 ? stood_ms : 0);
    if (tab_practice_seat(table) == ENG_NO_SEAT)
        return;
    table->wait_ms = tab_now(table) + (left > TAB_RECOVER_WAIT_MS ? left : TAB_RECOVER_WAIT_MS);
}
