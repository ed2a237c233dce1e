/* Hand-over of a table to another node; see handover.h. Hub thread. */
#include "tables/handover.h"

#include "base/bug.h"
#include "base/log.h"
#include "tables/journal.h"
#include "tables/outbox.h"
#include "tables/state.h"

bool tab_may_hand_over(const struct tab_table *table)
{
    if (table->writing || table->cancel_requested || table->registry->outage || table->registry->draining)
        return false;
    switch (tab_phase_of(table)) {
    case TAB_PHASE_WAITING:
        return table->start_ms == TAB_NEVER && table->ready == 0;
    case TAB_PHASE_PLAY:
    case TAB_PHASE_GROUPING:
        return !table->in_time_bank;
    case TAB_PHASE_BETWEEN_HANDS:
        return (tab_is_slow(table) && table->ready == 0) || table->wait_ms != TAB_NEVER;
    default:
        return false;
    }
}

void tab_hand_over(struct tab_table *table, bool to_lighter)
{
    ASSERT(tab_may_hand_over(table));
    tab_journal_more(table)->to_lighter = to_lighter;
    tab_journal_begin(table, TAB_WRITE_HANDOVER);
    tab_clock_set(&table->registry->clock, &table->due, TAB_NEVER);
}

/* Includes clients that connected in the meantime. */
static void send_moved(struct tab_table *table, const char *base)
{
    tab_send_moved(table, tab_to_all(table), base);
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->joining >> i & 1)
            tab_send_moved(table, tab_to_socket(&table->seats[i].joining), base);
}

bool tab_handover_written(struct tab_table *table)
{
    const struct tab_write *write = &table->write;
    ASSERT(write->kind == TAB_WRITE_HANDOVER && write->more && !table->writing);
    if (write->result == TAB_WRITTEN) {
        send_moved(table, write->more->ws_url);
        return true;
    }
    if (write->result == TAB_WRITE_FAILED)
        log_error("table_not_handed_over", LOG_NUM("table", table->id), LOG_TEXT("why", write->why));
    tab_journal_free_more(table);
    return false;
}
