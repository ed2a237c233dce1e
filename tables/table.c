/* The lifecycle of a table: its phase, its next step, connections, and completed writes. Hub thread. */
#include "tables/table.h"

#include "base/bug.h"
#include "base/log.h"
#include "base/thread.h"
#include "tables/commands.h"
#include "tables/handover.h"
#include "tables/journal.h"
#include "tables/lost.h"
#include "tables/outbox.h"
#include "tables/phase.h"
#include "tables/practice.h"
#include "tables/run.h"
#include "tables/seats.h"
#include "tables/slow.h"
#include "tables/state.h"
#include "tables/thoughts.h"

static const struct tab_phase *phase_of(const struct tab_table *table)
{
    static const struct tab_phase *const phases[TAB_PHASE_COUNT] = {
        [TAB_PHASE_WAITING] = &tab_phase_waiting,   [TAB_PHASE_PLAY] = &tab_phase_play,
        [TAB_PHASE_GROUPING] = &tab_phase_grouping, [TAB_PHASE_BETWEEN_HANDS] = &tab_phase_between_hands,
        [TAB_PHASE_OVER] = &tab_phase_over,         [TAB_PHASE_LOST] = &tab_phase_lost};
    enum tab_phase_id phase = tab_phase_of(table);
    ASSERT(phase < TAB_PHASE_COUNT && phases[phase] != NULL);
    return phases[phase];
}

/* Checks invariants of a table that hold whenever no operation on it is running, regardless of its rows and
 * of its clients' input. Lost tables are excluded, because their state depends on invalid rows. */
static void check(const struct tab_table *table)
{
    if (table->state == TAB_LOST)
        return;
    bool dealt = table->state != TAB_WAITING;
    ASSERT(table->seats_n >= 2 && table->seats_n <= ENG_SEAT_MAX);
    ASSERT(table->queue_n <= TAB_QUEUE_MAX && table->queue_head < TAB_QUEUE_MAX);
    /* The ring ends with the engine's last event. Events up to sent_v have been sent, which are all events
     * unless a write is pending. */
    ASSERT(table->events.last_v == (dealt ? eng_version(&table->game) : 0));
    ASSERT(table->sent_v <= table->events.last_v);
    ASSERT(table->writing || table->sent_v == table->events.last_v);
    ASSERT(table->dealt_v <= table->events.last_v && table->turn_v <= table->events.last_v);
    ASSERT(!dealt || (table->dealt_no > 0 && table->hand_no - table->dealt_no <= 1));
    /* A reply is pending only during a write, and an ended table writes nothing. */
    ASSERT(table->writing || table->reply_to == ENG_NO_SEAT);
    ASSERT(table->reply_to == ENG_NO_SEAT || table->reply_to < table->seats_n);
    ASSERT(table->state != TAB_OVER || (!table->writing && table->linger_ms != TAB_NEVER));
    ASSERT(!table->in_time_bank || (table->time_bank_seat < table->seats_n && table->turn_ms != TAB_NEVER));
}

/* Whether no new work begins, because the database is unreachable or the process is shutting down. */
static bool stands_still(const struct tab_table *table)
{
    return table->registry->outage || table->registry->draining;
}

/* ---- Next step ---- */
static void run_command(struct tab_table *table, const struct tab_command *command)
{
    ASSERT(!table->writing && command->seat < table->seats_n);
    if (tab_commands_replied(table, command))
        return;
    if (table->registry->draining)
        tab_commands_refuse(table, command, "draining");
    else if (command->kind == TAB_DO_LEGAL)
        tab_reply_legal(table, command);
    else if (table->registry->outage && table->state != TAB_OVER)
        tab_commands_refuse(table, command, "paused");
    else
        phase_of(table)->run(table, command);
}

static bool drive(struct tab_table *table)
{
    ASSERT(!table->writing);
    if (stands_still(table))
        return false;
    if (table->cancel_requested && table->state != TAB_OVER && table->state != TAB_LOST) {
        tab_journal_begin_cancel(table, "by_operator");
        return true;
    }
    if (table->wait_ms == TAB_NEVER)
        return phase_of(table)->drive(table) || (tab_is_slow(table) && tab_slow_drive(table));
    if (tab_now(table) < table->wait_ms)
        return false;
    tab_journal_begin_cancel(table, "nobody_came_back");
    return true;
}

static void greet_joiners(struct tab_table *table)
{
    for (uint8_t i = 0; table->joining != 0; i++)
        if (table->joining >> i & 1) {
            tab_seats_admit(table, i);
            tab_practice_check(table, i);
            phase_of(table)->greet(table, i);
        }
    ASSERT(!table->writing); /* a new connection does not change the game: returns are queued */
}

static int64_t next_due(const struct tab_table *table)
{
    if (table->writing || stands_still(table))
        return TAB_NEVER;
    ASSERT(table->queue_n == 0); /* no command is queued that could run now */
    int64_t own = table->wait_ms != TAB_NEVER ? table->wait_ms : phase_of(table)->due(table);
    int64_t spectators = tab_spectators_due(table), sleep = tab_slow_due(table);
    int64_t first = own < spectators ? own : spectators;
    return first < sleep ? first : sleep;
}

/* Whether the next step is long overdue, because a stream of commands must not postpone it forever. */
static bool is_overdue(const struct tab_table *table)
{
    if (table->queue_n == 0 || stands_still(table))
        return false;
    int64_t due = table->wait_ms != TAB_NEVER ? table->wait_ms : phase_of(table)->due(table);
    return due > 0 && due != TAB_NEVER && tab_now(table) - due >= TAB_OVERDUE_MS;
}

/* next: a command to run before all queued ones; NULL: none. */
static void run(struct tab_table *table, const struct tab_command *next)
{
    struct tab_command waited;
    while (!table->writing) {
        greet_joiners(table);
        if (!stands_still(table))
            tab_practice_check(table, ENG_NO_SEAT);
        if (table->state != TAB_LOST) /* clients must not see the last events */
            tab_spectators_tick(table, phase_of(table)->greet_spectator);
        if (!next && is_overdue(table) && drive(table))
            continue;
        if (!next && tab_commands_take(table, &waited))
            next = &waited;
        if (next)
            run_command(table, next);
        else if (!drive(table))
            break;
        next = NULL;
    }
    check(table);
    tab_clock_set(&table->registry->clock, &table->due, next_due(table));
}

void tab_run(struct tab_table *table)
{
    run(table, NULL);
}

int64_t tab_registry_tick(struct tab_registry *registry)
{
    ASSERT(thread_is(THREAD_HUB));
    int64_t now = registry->ports.now_ms(registry->ports.ctx);
    struct tab_deadline *due;
    while ((due = tab_clock_pop(&registry->clock, now)) != NULL) {
        struct tab_table *table = (struct tab_table *)((char *)due - offsetof(struct tab_table, due));
        ASSERT(table->registry == registry && !table->writing);
        if (table->state == TAB_OVER && now >= table->linger_ms)
            tab_registry_drop(table, WIRE_CLOSE_OVER);
        else
            tab_run(table);
    }
    return tab_clock_next(&registry->clock);
}

void tab_registry_answer(struct tab_registry *registry, const struct tab_thought *thought)
{
    struct tab_table *table = tab_registry_find(registry, thought->table_id);
    ASSERT(thread_is(THREAD_HUB));
    if (table && tab_thoughts_put(table, thought))
        tab_run(table);
    else
        registry->counts.thoughts[TAB_THOUGHT_STALE]++;
}

static void put_off(int64_t *at_ms, int64_t by_ms)
{
    ASSERT(by_ms >= 0);
    if (*at_ms != TAB_NEVER)
        *at_ms += by_ms;
}

void tab_run_again(struct tab_table *table, int64_t stood_ms)
{
    ASSERT(!table->registry->outage);
    put_off(&table->fill_ms, stood_ms);
    put_off(&table->start_ms, stood_ms);
    if (!tab_is_slow(table)) /* the database has extended the turn if the outage was long */
        put_off(&table->turn_ms, stood_ms);
    put_off(&table->next_hand_ms, stood_ms);
    put_off(&table->wait_ms, stood_ms);
    put_off(&table->bot_ms, stood_ms);
    put_off(&table->linger_ms, stood_ms);
    tab_send_outage(table, tab_to_all(table), false);
    phase_of(table)->resume(table);
    tab_run(table);
}

/* ---- Connections and commands ---- */
void tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since)
{
    tab_seats_connect(table, seat, socket, since);
    if (table->registry->outage)
        tab_send_outage(table, tab_to_socket(&socket), true);
    tab_run(table);
}

/* Without an audience, the bot to move does not pretend to think. */
static void hurry_bot(struct tab_table *table)
{
    if (!tab_has_audience(table) && table->bot_ms != TAB_NEVER)
        table->bot_ms = tab_now(table);
}

void tab_quit(struct tab_table *table, uint8_t seat, const tab_socket *socket)
{
    if (!tab_seats_disconnect(table, seat, socket))
        return;
    hurry_bot(table);
    tab_run(table);
}

bool tab_spectate(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms)
{
    ASSERT(socket != NULL);
    if (!tab_spectators_add(table, socket, since, delay_ms))
        return false;
    tab_run(table);
    return true;
}

void tab_unspectate(struct tab_table *table, const tab_socket *socket)
{
    tab_spectators_remove(table, socket);
    hurry_bot(table);
    tab_run(table);
}

void tab_command(struct tab_table *table, const struct tab_command *command)
{
    ASSERT(command->seat < table->seats_n);
    if (table->writing || table->queue_n > 0) {
        tab_commands_put(table, command);
        tab_run(table);
    } else {
        run(table, command);
    }
}

void tab_cancel(struct tab_table *table)
{
    table->cancel_requested = true;
    tab_run(table);
}

void tab_rematch(struct tab_table *table, int64_t rematch_id, uint8_t seat)
{
    if (table->state != TAB_OVER || seat >= table->seats_n)
        return;
    uint8_t seats = (uint8_t)(table->rematch_seats | 1u << seat);
    if (table->rematch_id == rematch_id && table->rematch_seats == seats)
        return;
    table->rematch_id = rematch_id;
    table->rematch_seats = seats;
    tab_send_rematch(table, tab_to_seats());
}

/* ---- Completed writes ---- */
static void cancelled(struct tab_table *table)
{
    tab_send_cancelled(table, table->write.more->reason);
    table->registry->counts.cancelled++;
    tab_registry_drop(table, WIRE_CLOSE_OVER);
}

/* Notifies all clients once, without asking them to reconnect. If a player or operator had requested the
 * end of the table, ends it. */
static void lost(struct tab_table *table)
{
    table->registry->counts.lost++;
    if (!table->cancel_requested) {
        tab_registry_drop(table, WIRE_CLOSE_LOST);
        return;
    }
    table->cancel_requested = false;
    tab_journal_begin_cancel(table, "by_operator");
}

/* Handles the result of writing the loss: it is written, or the table was ended elsewhere, or this write
 * was rejected, too. In the last case, drops the table as if it had never been loaded; the next connection
 * loads it again. */
static void loss_written(struct tab_table *table)
{
    ASSERT(!table->writing);
    tab_journal_free_record(table);
    switch (table->write.result) {
    case TAB_WRITTEN:
        lost(table);
        return;
    case TAB_WRITE_REFUSED:
        tab_registry_drop(table, WIRE_CLOSE_OVER);
        return;
    case TAB_WRITE_FAILED:
        log_error("loss_not_written", LOG_NUM("table", table->id), LOG_TEXT("why", table->write.why));
        tab_registry_drop(table, WIRE_CLOSE_INTERNAL);
        return;
    }
}

/* Drops a table that was unloaded, so that no node owns it. Clients that connected in the meantime
 * reconnect, which loads it again. */
static void slept(struct tab_table *table)
{
    if (table->write.result == TAB_WRITTEN) {
        tab_registry_drop(table, WIRE_CLOSE_TRY_LATER);
        return;
    }
    log_error("not_asleep", LOG_NUM("table", table->id), LOG_TEXT("code", table->write.code));
    table->slow.sleep_ms = tab_now(table) + table->registry->limits.sleep_after_ms;
    tab_journal_free_more(table);
    tab_run(table);
}

/* Whether a start was refused because a player has just returned or has done so on another node. The rows
 * have the current players, and the table continues once they are read. */
static bool seats_are_others(const struct tab_write *write)
{
    static const char *const codes[] = {"seats_free", "table_empty", "table_over"};
    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        if (write->kind == TAB_WRITE_START && write->result == TAB_WRITE_REFUSED &&
            strcmp(write->code, codes[i]) == 0)
            return true;
    return false;
}

void tab_written(struct tab_table *table)
{
    ASSERT(thread_is(THREAD_HUB));
    tab_journal_end(table);
    enum tab_write_kind kind = table->write.kind;
    bool refused = table->write.result == TAB_WRITE_REFUSED;
    bool may_be_refused = kind == TAB_WRITE_SEED || kind == TAB_WRITE_LEAVE;
    if (kind == TAB_WRITE_LOSE) {
        loss_written(table);
        return;
    }
    if (kind == TAB_WRITE_SLEEP) {
        slept(table);
        return;
    }
    if (kind == TAB_WRITE_HANDOVER) {
        if (tab_handover_written(table))
            tab_registry_drop(table, WIRE_CLOSE_RESTARTING);
        else
            tab_run(table);
        return;
    }
    if (seats_are_others(&table->write)) {
        table->start_ms = TAB_NEVER;
        tab_journal_free_more(table);
        return;
    }
    if (kind == TAB_WRITE_CANCEL && table->write.result == TAB_WRITTEN) {
        cancelled(table);
        return;
    }
    if (kind == TAB_WRITE_TURN) {
        tab_slow_turn_written(table);
        tab_journal_free_more(table);
    } else if (table->write.result == TAB_WRITE_FAILED || (refused && !may_be_refused)) {
        tab_lost_by_write(table);
    } else {
        phase_of(table)->written(table);
        tab_journal_free_more(table);
    }
    tab_run(table);
}
