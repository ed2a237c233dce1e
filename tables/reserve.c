/* A little more time for a player whose line is bad: when the clock of a turn in which he was not connected
 * all the while runs out, his reserve goes on first. It is small, and once for the whole game. Hub thread. */
#include "tables/table_in.h"

static int64_t left_of(const struct tab_table *table, uint8_t seat)
{
    int64_t left = table->hall->limits.reserve_ms - table->seats[seat].reserve_used_ms;
    return left > 0 ? left : 0;
}

bool tab_reserve_begin(struct tab_table *table, uint8_t seat)
{
    int64_t left = left_of(table, seat);
    if (table->in_reserve || !table->seats[seat].line_bad || left == 0)
        return false;
    table->in_reserve = true;
    table->reserve_seat = seat;
    table->turn_ms = tab_now(table) + left;
    tab_tell_clock(table, ENG_NO_SEAT);
    return true;
}

void tab_reserve_end(struct tab_table *table, uint8_t next)
{
    if (table->in_reserve) {
        int64_t left = table->turn_ms - tab_now(table);
        table->seats[table->reserve_seat].reserve_used_ms =
            table->hall->limits.reserve_ms - (left > 0 ? left : 0);
    }
    table->in_reserve = false;
    table->seats[next].line_bad = table->seats[next].socket == NULL;
}

/* What was used of it before a restart stands in the times of the moves: turns that were longer than their
 * clock. */
void tab_reserve_recover(struct tab_table *table, const struct tab_load *load)
{
    int64_t began = table->hand_unix_ms, last = began, turn = tab_clock_ms(table);
    uint8_t seat = ENG_NO_SEAT;
    for (size_t i = 0; i < load->moves_n; i++) {
        const struct tab_load_move *move = &load->moves[i];
        if (move->v <= table->dealt_v)
            continue;
        if (move->seat != seat)
            began = last;
        seat = move->seat;
        int64_t over = move->unix_ms - began - turn;
        int64_t before = last - began - turn;
        if (over > 0)
            table->seats[seat].reserve_used_ms += over - (before > 0 ? before : 0);
        last = move->unix_ms;
    }
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->seats[i].line_bad = true;
}
