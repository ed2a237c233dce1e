/* The life of a table: what it does next, what comes back from the journal, its end. Hub thread. */
#include "tables/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/log.h"
#include "tables/table_in.h"
#include "tables/wire.h"

void tab_init(struct tab_table *table)
{
    *table = (struct tab_table){
        .reply_to = ENG_NO_SEAT,
        .fill_ms = TAB_NEVER,
        .start_ms = TAB_NEVER,
        .turn_ms = TAB_NEVER,
        .next_hand_ms = TAB_NEVER,
        .bot_ms = TAB_NEVER,
        .linger_ms = TAB_NEVER,
        .due.at_ms = TAB_NEVER,
    };
}

/* ---- Writing ---- */
void tab_begin_write(struct tab_table *table, enum tab_write_kind kind)
{
    ASSERT(!table->writing);
    struct tab_write *write = &table->write;
    write->table = table;
    write->kind = kind;
    write->table_id = table->id;
    write->hand_no = kind == TAB_WRITE_DEAL || table->dealt_no == 0 ? table->hand_no : table->dealt_no;
    write->result = TAB_WRITE_FAILED;
    write->code[0] = '\0';
    table->writing = true;
    table->registry->writing_n++;
    /* The queue has a place for each table's one write. */
    if (!table->registry->ports.write(table->registry->ports.ctx, write))
        BUG("the journal's queue is smaller than the number of tables");
}

/* ---- What is next ---- */
static bool drive(struct tab_table *table)
{
    if (table->registry->outage || table->registry->draining)
        return false;
    if (table->cancel_asked && table->state != TAB_OVER) {
        tab_begin_cancel(table, "by_operator");
        return true;
    }
    switch (table->state) {
    case TAB_WAITING:
        return tab_waiting_drive(table);
    case TAB_PLAYING:
        return tab_is_between_hands(table) ? tab_between_hands_drive(table) : tab_play_drive(table);
    case TAB_OVER:
        break;
    }
    return false;
}

static int64_t next_of_game(const struct tab_table *table)
{
    switch (table->state) {
    case TAB_WAITING:
        return tab_waiting_due(table);
    case TAB_PLAYING:
        if (tab_is_between_hands(table))
            return table->next_hand_ms;
        return table->bot_ms != TAB_NEVER ? table->bot_ms : table->turn_ms;
    case TAB_OVER:
        return table->linger_ms;
    }
    return TAB_NEVER;
}

static int64_t next_due(const struct tab_table *table)
{
    if (table->writing || table->registry->outage || table->registry->draining)
        return TAB_NEVER;
    int64_t game = next_of_game(table), watch = tab_spectators_due(table);
    return game < watch ? game : watch;
}

void tab_pump(struct tab_table *table)
{
    while (!table->writing) {
        tab_greet_joiners(table);
        tab_spectators_tick(table);
        if (table->queue_n > 0) {
            struct tab_command command = table->queue[table->queue_head];
            table->queue_head = (uint8_t)((table->queue_head + 1) % TAB_QUEUE_MAX);
            table->queue_n--;
            tab_run_command(table, &command);
        } else if (!drive(table)) {
            break;
        }
    }
    tab_clock_set(&table->registry->clock, &table->due, next_due(table));
}

void tab_cancel(struct tab_table *table)
{
    table->cancel_asked = true;
    tab_pump(table);
}

/* ---- What came back ---- */
static void answer(struct tab_table *table, const char *code)
{
    uint8_t seat = table->reply_to;
    const char *id = table->write.command_id;
    table->reply_to = ENG_NO_SEAT;
    if (seat == ENG_NO_SEAT || id[0] == '\0')
        return;
    if (code) {
        tab_refuse(table, seat, id, code);
        return;
    }
    tab_command_replies_ack(&table->seats[seat].replies, id, table->events.last_v);
    tab_send_ack(table, seat, id, table->events.last_v);
}

/* A person who left for good is not at the table any more. */
static void close_leaver(struct tab_table *table)
{
    if (table->write.move[0] == ENG_LEAVE)
        tab_close_seat(table, table->write.seat, TAB_CLOSE_LEFT);
}

static void after_move(struct tab_table *table)
{
    tab_release_events(table);
    answer(table, NULL);
    close_leaver(table);
    if (table->write.move[0] == ENG_RETURN)
        tab_tell_missed_moves(table, table->write.seat);
}

static void after_hand(struct tab_table *table)
{
    free(table->write.record);
    table->write.record = NULL;
    tab_hand_end_keep(table);
    memcpy(table->server_seed, table->write.next_seed, sizeof(table->server_seed));
    memcpy(table->commit, table->write.next_commit, sizeof(table->commit));
    table->hand_no = table->dealt_no + 1;
    table->turn_ms = TAB_NEVER;
    tab_between_hands_begin(table);
    after_move(table);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_tell_fairness(table, i);
    tab_spectators_hand_ended(table);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_tell_next_hand(table, i);
}

static void after_settle(struct tab_table *table)
{
    if (table->hand_no == table->dealt_no) /* else the session ended between two hands */
        tab_hand_end_keep(table);
    memcpy(table->settled, table->write.settled, sizeof(table->settled));
    table->game_id = table->write.game_id;
    free(table->write.record);
    table->write.record = NULL;
    table->state = TAB_OVER;
    table->turn_ms = TAB_NEVER;
    table->linger_ms = tab_now(table) + table->registry->limits.linger_ms;
    table->registry->counts.settled++;
    after_move(table);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_tell_settled(table, i);
    tab_spectators_settled(table);
}

static void after_seed(struct tab_table *table)
{
    if (table->write.result == TAB_WRITE_REFUSED) {
        answer(table, table->write.code);
        return;
    }
    table->seats[table->write.seat].person.seed = table->write.seeds[table->write.seat];
    answer(table, NULL);
}

static void after_leave(struct tab_table *table)
{
    uint8_t seat = table->write.seat;
    if (table->write.result == TAB_WRITE_REFUSED) {
        answer(table, table->write.code);
        return;
    }
    answer(table, NULL);
    tab_close_seat(table, seat, TAB_CLOSE_LEFT);
    table->seats[seat] = (struct tab_seat){0};
    tab_tell_waiting(table);
}

static void after_start(struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++) {
        struct tab_seat *seat = &table->seats[i];
        const struct tab_person *now = &table->write.people[i];
        if (seat->person.player_id != now->player_id)
            tab_close_seat(table, i, TAB_CLOSE_FORBIDDEN);
        seat->person = *now;
        seat->taken = true;
    }
    table->state = TAB_PLAYING;
    table->start_ms = TAB_NEVER;
    table->started_unix_ms = table->hand_unix_ms = table->registry->ports.unix_ms(table->registry->ports.ctx);
    eng_init(&table->game, &table->params, table->seats_n);
    if (!tab_deal(table))
        BUG("a new game cannot be dealt");
    /* Everybody gets the whole table first, then its events go on from there. */
    table->sent_v = table->events.last_v;
    table->turn_ms = tab_now(table) + table->params.turn_s * 1000;
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_welcome(table, i);
    tab_spectators_welcome(table);
}

static void cancelled(struct tab_table *table, const char *reason)
{
    char memory[256];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_cancelled(&frame, reason);
    tab_send_all(table, &frame);
    table->registry->counts.cancelled++;
    tab_drop(table, TAB_CLOSE_OVER);
}

/* The database refused for good, or its rows say otherwise: what is in memory is worth
 * nothing. The next connection loads the table anew. */
static void lose(struct tab_table *table)
{
    log_error("table_lost", LOG_NUM("table", table->id), LOG_NUM("kind", table->write.kind),
              LOG_TEXT("code", table->write.code));
    free(table->write.record);
    table->write.record = NULL;
    tab_drop(table, TAB_CLOSE_INTERNAL);
}

void tab_written(struct tab_table *table)
{
    ASSERT(table->writing && table->registry->writing_n > 0);
    table->writing = false;
    table->registry->writing_n--;
    enum tab_write_kind kind = table->write.kind;
    bool refused = table->write.result == TAB_WRITE_REFUSED;
    bool may_be_refused = kind == TAB_WRITE_SEED || kind == TAB_WRITE_LEAVE;
    if (table->write.result == TAB_WRITE_FAILED || (refused && !may_be_refused)) {
        lose(table);
        return;
    }
    switch (kind) {
    case TAB_WRITE_MOVE:
        after_move(table);
        break;
    case TAB_WRITE_HAND:
        after_hand(table);
        break;
    case TAB_WRITE_DEAL:
        tab_after_deal(table);
        break;
    case TAB_WRITE_SETTLE:
        after_settle(table);
        break;
    case TAB_WRITE_SEED:
        after_seed(table);
        break;
    case TAB_WRITE_LEAVE:
        after_leave(table);
        break;
    case TAB_WRITE_START:
        after_start(table);
        break;
    case TAB_WRITE_CANCEL:
        cancelled(table, table->write.reason);
        return;
    }
    tab_pump(table);
}
