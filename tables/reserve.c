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

int64_t tab_reserve_spent(const struct tab_table *table, uint8_t seat)
{
    if (!table->in_reserve || table->reserve_seat != seat)
        return 0;
    int64_t left = table->turn_ms - tab_now(table);
    return table->hall->limits.reserve_ms - (left > 0 ? left : 0);
}

void tab_reserve_end(struct tab_table *table, uint8_t next)
{
    if (table->in_reserve)
        table->seats[table->reserve_seat].reserve_used_ms = tab_reserve_spent(table, table->reserve_seat);
    table->in_reserve = false;
    table->seats[next].line_bad = table->seats[next].socket == NULL;
}

/* What was used of it before a restart stands with the moves that were made in it, of all hands; only what a
 * turn that was never ended has used is given back. Nobody's line has held over a restart. */
void tab_reserve_recover(struct tab_table *table, const struct tab_load *load)
{
    for (size_t i = 0; i < load->moves_n; i++)
        if (load->moves[i].reserve_ms > 0)
            table->seats[load->moves[i].seat].reserve_used_ms = load->moves[i].reserve_ms;
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->seats[i].line_bad = true;
}
