/* Each seat's time for a whole hand; see hand_clock.h. */
#include "tables/hand_clock.h"

#include "base/bug.h"
#include "tables/state.h"

void tab_hand_clock_deal(struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->hand_left_ms[i] = (int32_t)tab_hand_clock_ms(table);
}

int64_t tab_hand_clock_taken(const struct tab_table *table)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    if (!tab_has_hand_clock(table) || seat >= table->seats_n || (table->bots >> seat & 1) != 0 ||
        eng_seat_is_away(&table->game, seat) || table->turn_ms == TAB_NEVER)
        return 0;
    int64_t whole = tab_clock_ms(table);
    if (table->in_time_bank) /* the time bank starts when the turn clock has run out */
        return whole;
    int64_t left = table->turn_ms - tab_now(table);
    return left <= 0 ? whole : left < whole ? whole - left : 0;
}

int64_t tab_hand_clock_left(const struct tab_table *table, uint8_t seat)
{
    ASSERT(seat < table->seats_n && tab_has_hand_clock(table));
    bool runs = table->registry && table->wait_ms == TAB_NEVER && eng_seat_to_move(&table->game) == seat;
    int64_t left = table->hand_left_ms[seat] - (runs ? tab_hand_clock_taken(table) : 0);
    return left > 0 ? left : 0;
}

static bool turn_is_over(const struct eng_outcome *outcome)
{
    for (int i = 0; i < outcome->events_n; i++)
        if (outcome->events[i].type == ENG_EV_TURN)
            return true;
    return false;
}

bool tab_hand_clock_moved(struct tab_table *table, uint8_t seat, int64_t taken_ms,
                          const struct eng_outcome *outcome)
{
    ASSERT(taken_ms >= 0);
    if (seat >= table->seats_n || !tab_has_hand_clock(table) || !turn_is_over(outcome))
        return false;
    int64_t left = table->hand_left_ms[seat] - taken_ms, whole = tab_hand_clock_ms(table);
    left = (left > 0 ? left : 0) + ENG_HAND_CLOCK_STEP_S * 1000;
    table->hand_left_ms[seat] = (int32_t)(left < whole ? left : whole);
    return true;
}
