/* Loads tables from their rows; see recover.h. Hub thread. */
#include "tables/recover.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/log.h"
#include "tables/lost.h"
#include "tables/moves.h"
#include "tables/outbox.h"
#include "tables/practice.h"
#include "tables/run.h"
#include "tables/seats.h"
#include "tables/slow.h"
#include "tables/state.h"
#include "tables/time_bank.h"

/* The running clock was started by the last move that made a `turn` or a valid declaration or, if there is
 * none, by the deal. The deadline is extended by the time during which no process ran the table. */
static void set_turn_clock(struct tab_table *table, const struct tab_load *load)
{
    int64_t began = table->hand_unix_ms, last = began;
    uint32_t before = table->dealt_v;
    for (size_t i = 0; i < load->moves_n; i++) {
        if (load->moves[i].v <= table->dealt_v)
            continue;
        last = load->moves[i].unix_ms;
        if (before < table->turn_v && load->moves[i].v >= table->turn_v)
            began = last;
        before = load->moves[i].v;
    }
    int64_t stopped = load->heard_unix_ms > last ? load->heard_unix_ms : last;
    int64_t turn = tab_clock_ms(table), left = turn - (stopped - began);
    ASSERT(stopped >= last && turn > 0);
    tab_practice_recover(table, stopped - last);
    if (left > turn)
        left = turn;
    if (left < TAB_RECOVER_LEFT_MS)
        left = TAB_RECOVER_LEFT_MS;
    table->turn_ms = tab_now(table) + left;
}

static int64_t fill_at(const struct tab_table *table, const struct tab_load *load)
{
    return tab_now(table) + (load->fill_in_ms > 0 ? load->fill_in_ms : 0);
}

static enum tab_load_result take_over(struct tab_registry *registry, const struct tab_load *load,
                                      struct tab_table **made)
{
    if (registry->tables_n >= registry->limits.table_max)
        return TAB_LOAD_FULL;
    struct tab_table *table = aligned_alloc(TAB_LINE, (sizeof(*table) + TAB_LINE - 1) / TAB_LINE * TAB_LINE);
    if (!table)
        return TAB_LOAD_FULL;
    bool plays = tab_replay(table, load);
    if (!plays && !table->difference.loss) {
        tab_unload(table);
        free(table);
        return TAB_LOAD_FULL;
    }
    ASSERT(table->id == load->id);
    ASSERT(!plays || table->sent_v == table->events.last_v); /* everything was committed */
    tab_registry_add(registry, table);
    *made = table;
    if (!plays) {
        tab_lost_by_rows(table);
        tab_run(table);
        return TAB_LOAD_LOST;
    }
    table->pace_rng = registry->ports.random(registry->ports.ctx);
    if (table->state == TAB_PLAYING)
        tab_time_bank_recover(table, load);
    if (table->state == TAB_WAITING) {
        table->fill_ms = fill_at(table, load);
    } else if (tab_is_between_hands(table)) {
        table->next_hand_ms = tab_now(table) + registry->limits.hand_pause_ms;
        tab_practice_recover(table, 0);
    } else if (tab_is_slow(table)) {
        tab_moves_start_clock(table);
    } else {
        set_turn_clock(table, load);
    }
    if (tab_is_slow(table) && table->state == TAB_PLAYING)
        tab_slow_apply_rows(table, load);
    tab_run(table);
    return TAB_LOADED;
}

/* Updates a waiting table, whose seats the REST API changes. The state of a pending write takes precedence
 * over these rows. */
static void bring_up_to_date(struct tab_table *table, const struct tab_load *load)
{
    bool changed = false;
    ASSERT(table->state == TAB_WAITING && !table->writing && table->id == load->id);
    int64_t fill_ms = fill_at(table, load);
    if (fill_ms < table->fill_ms)
        table->fill_ms = fill_ms;
    table->room.bots_n = load->room.bots_n;
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_seat *seat = &table->seats[i];
        if (seat->taken == load->taken[i] && seat->person.player_id == load->people[i].player_id)
            continue;
        tab_seats_close(table, i, WIRE_CLOSE_LEFT);
        tab_seats_clear(table, i);
        tab_seats_put(table, i, &load->people[i], load->taken[i]);
        changed = true;
    }
    if (changed)
        tab_send_waiting(table, tab_to_all(table));
    tab_run(table);
}

enum tab_load_result tab_registry_load(struct tab_registry *registry, const struct tab_load *load,
                                       struct tab_table **table)
{
    struct tab_table *here = tab_registry_find(registry, load->id);
    ASSERT(!here || here->registry == registry);
    bool waiting = strcmp(load->state, "waiting") == 0;
    bool lost = strcmp(load->state, "lost") == 0;
    bool ended = !waiting && strcmp(load->state, "playing") != 0;
    *table = here;
    if (here && here->state == TAB_WAITING && here->writing) {
        here->rows_missed = true;
        return TAB_LOADED;
    }
    if (here && here->state == TAB_WAITING && ended) {
        tab_registry_drop(here, lost ? WIRE_CLOSE_LOST : WIRE_CLOSE_OVER);
        *table = NULL;
        return lost ? TAB_LOAD_LOST : TAB_LOAD_ENDED;
    }
    if (here && here->state == TAB_WAITING && waiting)
        bring_up_to_date(here, load);
    if (here && here->state == TAB_PLAYING && tab_is_slow(here) && !here->writing) {
        tab_slow_apply_rows(here, load);
        tab_run(here);
    }
    if (here)
        return TAB_LOADED;
    if (lost)
        return TAB_LOAD_LOST;
    return ended ? TAB_LOAD_ENDED : take_over(registry, load, table);
}
