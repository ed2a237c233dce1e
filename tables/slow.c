/* Correspondence tables; see slow.h. Hub thread. */
#include "tables/slow.h"

#include "base/bug.h"
#include "base/log.h"
#include "tables/journal.h"
#include "tables/outbox.h"
#include "tables/state.h"

static bool is_awaited(const struct tab_table *table, uint8_t seat)
{
    struct eng_view view;
    switch (tab_phase_of(table)) {
    case TAB_PHASE_PLAY:
        return eng_seat_to_move(&table->game) == seat;
    case TAB_PHASE_GROUPING:
        return eng_seat_to_group(&table->game, seat);
    case TAB_PHASE_BETWEEN_HANDS:
        eng_view(&table->game, seat, &view);
        return view.may_rejoin && !(table->ready >> seat & 1);
    default:
        return false;
    }
}

uint8_t tab_slow_awaited(const struct tab_table *table)
{
    uint8_t seats = 0;
    if (!tab_is_slow(table) || !tab_is_under_way(table))
        return 0;
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->seats[i].person.player_id != 0 && !(table->bots >> i & 1) &&
            !eng_seat_is_away(&table->game, i) && is_awaited(table, i))
            seats |= (uint8_t)(1u << i);
    return seats;
}

/* The version at which the current wait began. */
static uint32_t began_v(const struct tab_table *table)
{
    return tab_is_between_hands(table) ? table->ended_v : table->turn_v;
}

static bool is_written_down(const struct tab_table *table, uint8_t seats)
{
    return table->slow.v == began_v(table) && table->slow.seats == seats;
}

/* State that exists only in memory keeps a table loaded: the set of players ready for the next hand. */
static bool may_sleep(const struct tab_table *table, uint8_t awaited)
{
    return awaited != 0 && is_written_down(table, awaited) && !table->slow.due && !tab_has_audience(table) &&
           !(tab_is_between_hands(table) && table->ready != 0);
}

static void begin_turn(struct tab_table *table, uint8_t seats)
{
    struct tab_write_more *more = tab_journal_more(table);
    more->turn_v = began_v(table);
    more->turn_seats = seats;
    more->turn_here = 0;
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->sockets[i])
            more->turn_here |= (uint8_t)(1u << i);
    tab_journal_begin(table, TAB_WRITE_TURN);
}

bool tab_slow_drive(struct tab_table *table)
{
    uint8_t awaited = tab_slow_awaited(table);
    ASSERT(!table->writing);
    if (awaited != 0 && !is_written_down(table, awaited)) {
        begin_turn(table, awaited);
        return true;
    }
    if (!may_sleep(table, awaited)) {
        table->slow.sleep_ms = TAB_NEVER;
        return false;
    }
    int64_t now = tab_now(table);
    if (table->slow.sleep_ms == TAB_NEVER)
        table->slow.sleep_ms = now + table->registry->limits.sleep_after_ms;
    if (now < table->slow.sleep_ms)
        return false;
    (void)tab_journal_more(table);
    tab_journal_begin(table, TAB_WRITE_SLEEP);
    return true;
}

int64_t tab_slow_due(const struct tab_table *table)
{
    return tab_is_slow(table) ? table->slow.sleep_ms : TAB_NEVER;
}

static void set_clock(struct tab_table *table, int64_t due_unix_ms)
{
    int64_t whole = tab_clock_ms(table);
    int64_t left = due_unix_ms == TAB_NEVER ? whole : due_unix_ms - tab_unix_now(table);
    table->slow.stopped = due_unix_ms == TAB_NEVER;
    table->slow.due = left <= 0;
    int64_t at = tab_now(table) + (left > 0 ? left : 0);
    if (tab_is_between_hands(table))
        table->next_hand_ms = at;
    else
        table->turn_ms = at;
}

static void send_turn(struct tab_table *table)
{
    if (tab_is_between_hands(table))
        tab_send_next_hand(table, tab_to_all(table));
    else
        tab_send_clock(table, tab_to_live(table));
}

void tab_slow_turn_written(struct tab_table *table)
{
    const struct tab_write_more *more = table->write.more;
    ASSERT(table->write.kind == TAB_WRITE_TURN && more);
    table->slow.v = more->turn_v;
    table->slow.seats = more->turn_seats;
    if (table->write.result != TAB_WRITTEN) {
        log_error("turn_not_written", LOG_NUM("table", table->id), LOG_TEXT("code", table->write.code));
        return;
    }
    bool stopped = table->slow.stopped;
    set_clock(table, more->due_unix_ms);
    if (stopped != table->slow.stopped)
        send_turn(table);
}

void tab_slow_apply_rows(struct tab_table *table, const struct tab_load *load)
{
    uint8_t awaited = tab_slow_awaited(table);
    ASSERT(tab_is_slow(table) && !table->writing);
    if (awaited == 0 || load->turn_v != began_v(table) || load->turn_seats != awaited)
        return;
    table->slow.v = load->turn_v;
    table->slow.seats = load->turn_seats;
    bool stopped = table->slow.stopped;
    set_clock(table, load->turn_due_unix_ms);
    if (stopped != table->slow.stopped)
        send_turn(table);
}
