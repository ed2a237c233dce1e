/* The phase of a table that cannot continue: the database rejected a write permanently, or the rows do not
 * replay. The database keeps the known state of the table and its stakes until an operator ends it. Clients
 * receive nothing more until then. Hub thread. */
#include "tables/lost.h"

#include <stdio.h>

#include "base/bug.h"
#include "base/log.h"
#include "tables/commands.h"
#include "tables/hand_end.h"
#include "tables/journal.h"
#include "tables/phase.h"
#include "tables/state.h"

/* ---- Why ---- */
static const char *name_of(enum tab_write_kind kind)
{
    static const char *const names[] = {
        [TAB_WRITE_MOVE] = "move",     [TAB_WRITE_HAND] = "hand", [TAB_WRITE_DEAL] = "deal",
        [TAB_WRITE_SETTLE] = "settle", [TAB_WRITE_SEED] = "seed", [TAB_WRITE_LEAVE] = "leave",
        [TAB_WRITE_START] = "start",   [TAB_WRITE_LOSE] = "lose", [TAB_WRITE_CANCEL] = "cancel"};
    ASSERT(kind < ARRAY_LEN(names));
    return names[kind];
}

/* A hand that ended with the rejected write already has its record; the record of the running hand ends
 * with its last valid move. */
static void lose(struct tab_table *table, const char *loss, bool in_hand)
{
    struct tab_write_more *more = tab_journal_more(table);
    if (!more->record && in_hand)
        tab_hand_end_record_so_far(table);
    more->loss = loss;
    table->state = TAB_LOST;
    log_error("table_lost", LOG_NUM("table", table->id), LOG_TEXT("code", loss),
              LOG_TEXT("data", more->loss_data));
}

void tab_lost_by_write(struct tab_table *table)
{
    struct tab_write *write = &table->write;
    bool has_move =
        write->kind == TAB_WRITE_MOVE || write->kind == TAB_WRITE_HAND || write->kind == TAB_WRITE_SETTLE;
    struct tab_write_more *more = tab_journal_more(table);
    struct buf out = buf_on(more->loss_data, sizeof(more->loss_data));
    json_open(&out, '{');
    json_kv_text(&out, "write", name_of(write->kind));
    if (has_move)
        json_kv_num(&out, "v", write->v);
    json_kv_text(&out, "code", write->code);
    json_kv_text(&out, "why", write->result == TAB_WRITE_FAILED ? write->why : "");
    json_close(&out, '}');
    buf_put(&out, "", 1);
    ASSERT(!out.full);
    lose(table, "write_refused", tab_is_in_hand(table));
}

static void put_hash(struct buf *out, const char *key, uint64_t hash)
{
    char hex[17];
    (void)snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)hash);
    json_kv_text(out, key, hex);
}

void tab_lost_by_rows(struct tab_table *table)
{
    const struct tab_difference *difference = &table->difference;
    struct tab_write_more *more = tab_journal_more(table);
    struct buf out = buf_on(more->loss_data, sizeof(more->loss_data));
    ASSERT(difference->loss != NULL);
    json_open(&out, '{');
    json_kv_text(&out, "what", difference->what);
    if (difference->v > 0) {
        json_kv_num(&out, "hand_no", difference->hand_no);
        json_kv_num(&out, "v", difference->v);
        json_kv_num(&out, "seat", difference->seat);
    }
    if (difference->hash != difference->hash_played) {
        put_hash(&out, "hash", difference->hash);
        put_hash(&out, "hash_played", difference->hash_played);
    }
    json_close(&out, '}');
    buf_put(&out, "", 1);
    ASSERT(!out.full);
    lose(table, difference->loss, table->dealt_no > 0 && tab_is_in_hand(table));
}

/* ---- The phase ---- */
static bool drive(struct tab_table *table)
{
    tab_journal_begin(table, TAB_WRITE_LOSE);
    return true;
}

static int64_t due(const struct tab_table *table)
{
    (void)table;
    return TAB_NEVER;
}

static void run(struct tab_table *table, const struct tab_command *command)
{
    tab_commands_refuse(table, command, "table_lost");
}

static void written(struct tab_table *table)
{
    (void)table;
    BUG("a lost table must be dropped after its write");
}

static void greet(struct tab_table *table, uint8_t seat)
{
    (void)table;
    (void)seat;
}

static void greet_spectator(struct tab_table *table, tab_socket *const *socket, int64_t since)
{
    (void)table;
    (void)socket;
    (void)since;
}

static void resume(struct tab_table *table)
{
    (void)table; /* nothing is due at a lost table */
}

const struct tab_phase tab_phase_lost = {.drive = drive,
                                         .due = due,
                                         .run = run,
                                         .written = written,
                                         .greet = greet,
                                         .greet_spectator = greet_spectator,
                                         .resume = resume};
