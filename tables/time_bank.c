/* Extra time for a player with a bad connection; see time_bank.h. Hub thread. */
#include "tables/time_bank.h"

#include "base/bug.h"
#include "tables/outbox.h"
#include "tables/state.h"

static int64_t left_of(const struct tab_table *table, uint8_t seat)
{
    ASSERT(seat < table->seats_n && table->seats[seat].time_bank_used_ms >= 0);
    int64_t left = table->registry->limits.time_bank_ms - table->seats[seat].time_bank_used_ms;
    return left > 0 ? left : 0;
}

bool tab_time_bank_begin(struct tab_table *table, uint8_t seat)
{
    int64_t left = left_of(table, seat);
    if (table->in_time_bank || tab_is_slow(table) || !(table->line_bad >> seat & 1) || left == 0)
        return false;
    ASSERT(seat == eng_seat_to_move(&table->game) && left > 0);
    table->in_time_bank = true;
    table->time_bank_seat = seat;
    table->turn_ms = tab_now(table) + left;
    tab_send_clock(table, tab_to_live(table));
    return true;
}

int64_t tab_time_bank_used(const struct tab_table *table, uint8_t seat)
{
    if (!table->in_time_bank || table->time_bank_seat != seat)
        return 0;
    ASSERT(table->turn_ms != TAB_NEVER);
    int64_t left = table->turn_ms - tab_now(table);
    int64_t used = table->registry->limits.time_bank_ms - (left > 0 ? left : 0);
    ASSERT(used >= table->seats[seat].time_bank_used_ms);
    return used;
}

void tab_time_bank_stop(struct tab_table *table)
{
    if (table->in_time_bank)
        table->seats[table->time_bank_seat].time_bank_used_ms =
            tab_time_bank_used(table, table->time_bank_seat);
    table->in_time_bank = false;
}

void tab_time_bank_end(struct tab_table *table, uint8_t next)
{
    ASSERT(next < table->seats_n);
    tab_time_bank_stop(table);
    if (table->sockets[next])
        table->line_bad = (uint8_t)(table->line_bad & ~(1u << next));
    else
        table->line_bad |= (uint8_t)(1u << next);
}

/* The time used before a restart is stored with the moves made in it, for all hands. Only the time used in
 * an unfinished turn is given back. No connection survives a restart. */
void tab_time_bank_recover(struct tab_table *table, const struct tab_load *load)
{
    ASSERT(!table->in_time_bank);
    for (size_t i = 0; i < load->moves_n; i++)
        if (load->moves[i].time_bank_ms > 0)
            table->seats[load->moves[i].seat].time_bank_used_ms = load->moves[i].time_bank_ms;
    table->line_bad = UINT8_MAX;
}
