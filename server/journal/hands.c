/* See hands.h. */
#include "server/journal/hands.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/bug.h"
#include "server/journal/table_rows.h"

struct db_move srv_journal_move(const struct tab_write *write)
{
    ASSERT(write->move_n > 0 && write->move_n <= sizeof(write->move));
    ASSERT(write->time_bank_ms >= 0 && write->hand_clock_ms >= 0);
    return (struct db_move){.table_id = write->table_id,
                            .hand_no = write->hand_no,
                            .v = write->v,
                            .seat = write->seat,
                            .bytes = write->move,
                            .len = write->move_n,
                            .hash = write->hash,
                            .command_id = write->command_id,
                            .leaves = write->move[0] == ENG_LEAVE,
                            .time_bank_ms = write->time_bank_ms,
                            .hand_clock_ms = write->hand_clock_ms};
}

static struct db_start start_of(const struct tab_write *write)
{
    struct db_start start = {.table = write->table_id, .bot_level = write->more->bot_level};
    ASSERT(write->more->seats_n >= 2 && write->more->seats_n <= DB_JOURNAL_SEATS_MAX);
    for (int i = 0; i < DB_JOURNAL_SEATS_MAX; i++) {
        bool is_seat = i < write->more->seats_n;
        start.nicks[i] =
            (struct db_slice){write->more->bot_nicks[i], is_seat ? strlen(write->more->bot_nicks[i]) : 0};
        start.seeds[i] =
            (struct db_slice){write->more->seeds[i].bytes, is_seat ? write->more->seeds[i].len : 0};
    }
    return start;
}

/* Reads the rows of a table, starting at `row`; returns the row after them. 0: a started table has free
 * seats. */
static int read_start(struct tab_write *write, const PGresult *rows, int row)
{
    int table = db_col(rows, "table_id"), seats_n = 0;
    (void)snprintf(write->code, sizeof(write->code), "%s", db_text(rows, row, db_col(rows, "code")));
    bool done = strcmp(write->code, "ok") == 0 || strcmp(write->code, "already_done") == 0;
    write->result = done ? TAB_WRITTEN : TAB_WRITE_REFUSED;
    if (!done)
        return row + 1;
    write->more->practice = db_bool(rows, row, db_col(rows, "practice"));
    for (; row < PQntuples(rows) && db_i64(rows, row, table) == write->table_id; row++)
        if (seats_n < write->more->seats_n)
            srv_person_from_row(&write->more->people[seats_n++], rows, row);
    return seats_n == write->more->seats_n ? row : 0;
}

enum db_journal_result srv_journal_starts(struct db_journal *db, struct tab_write **writes, size_t n,
                                          struct db_error *err)
{
    struct db_start starts[DB_JOURNAL_START_MAX];
    ASSERT(n > 0 && n <= DB_JOURNAL_START_MAX);
    for (size_t i = 0; i < n; i++)
        starts[i] = start_of(writes[i]);
    DB_AUTO PGresult *rows = NULL;
    enum db_journal_result result = db_journal_start(db, starts, n, &rows, err);
    int row = 0;
    for (size_t i = 0; i < n && result == DB_JOURNAL_DONE; i++) {
        ASSERT(row < PQntuples(rows) && db_i64(rows, row, db_col(rows, "table_id")) == writes[i]->table_id);
        row = read_start(writes[i], rows, row);
        if (row > 0)
            continue;
        *err = (struct db_error){.outcome = DB_FAILED, .text = "a started table has free seats"};
        return DB_JOURNAL_FAILED;
    }
    return result;
}

/* Per seat that drew next: draws after a discard, and discards taken. */
static void put_throws(struct buf *out, const struct tab_throws_of *throws)
{
    json_key(out, "throws");
    json_open(out, '{');
    for (int i = 0; i < ENG_SEAT_MAX; i++) {
        if (throws->chances[i] == 0)
            continue;
        const char key[] = {(char)('0' + i), '\0'};
        json_key(out, key);
        json_open(out, '[');
        json_num(out, throws->chances[i]);
        json_num(out, throws->taken[i]);
        json_close(out, ']');
    }
    json_close(out, '}');
}

static void put_facts(struct buf *out, const struct tab_score *score)
{
    const struct tab_achievement_facts *facts = &score->facts;
    json_key(out, "facts");
    json_open(out, '{');
    json_kv_num(out, "opening", facts->opening);
    json_kv_num(out, "opening_turn", facts->opening_turn);
    json_kv_num(out, "sets", facts->sets);
    json_kv_num(out, "runs", facts->runs);
    json_kv_num(out, "swaps", facts->swaps);
    json_kv_bool(out, "opened_pure", facts->opened_pure);
    json_kv_bool(out, "buried", facts->buried);
    json_kv_bool(out, "joker_out", facts->joker_out);
    put_throws(out, &score->throws);
    json_close(out, '}');
}

void srv_journal_results(const struct tab_write *write, char json[SRV_JOURNAL_RESULTS_MAX])
{
    struct buf results = buf_on(json, SRV_JOURNAL_RESULTS_MAX), *out = &results;
    ASSERT(write->more->seats_n >= 2 && write->more->seats_n <= ENG_SEAT_MAX);
    json_open(out, '[');
    for (int i = 0; i < write->more->seats_n; i++) {
        const struct tab_score *score = &write->more->scores[i];
        json_open(out, '{');
        json_kv_num(out, "seat", i);
        json_kv_num(out, "place", score->place);
        json_kv_num(out, "points", score->points);
        json_kv_num(out, "total", score->total);
        json_kv_bool(out, "won", score->won);
        json_kv_bool(out, "opened", score->opened);
        json_kv_num(out, "cards_left", score->cards_n);
        json_kv_bool(out, "rummy", score->rummy);
        json_kv_bool(out, "left", score->left);
        json_kv_num(out, "turns", score->turns);
        json_kv_num(out, "own_turns", score->own_turns);
        put_facts(out, score);
        json_close(out, '}');
    }
    json_close(out, ']');
    buf_put(out, "", 1);
    ASSERT(!out->full);
}

/* Turns a refusal into a failure, because the move must not be written without its consequences. */
static enum db_journal_result not_refused(enum db_journal_result result, const struct tab_write *write,
                                          struct db_error *err)
{
    if (result != DB_JOURNAL_REFUSED)
        return result;
    ASSERT(write->code[0] != '\0');
    *err = (struct db_error){.outcome = DB_FAILED};
    (void)snprintf(err->text, sizeof(err->text), "the end of a hand was refused: %s", write->code);
    return DB_JOURNAL_FAILED;
}

static enum db_journal_result write_hand(struct db_journal *db, struct tab_write *write, struct db_error *err)
{
    char json[SRV_JOURNAL_RESULTS_MAX];
    ASSERT(write->more->record && write->more->record_len > 0);
    struct db_move last = srv_journal_move(write);
    enum db_journal_result result = db_journal_moves(db, &last, 1, err);
    if (result != DB_JOURNAL_DONE)
        return result;
    srv_journal_results(write, json);
    const struct db_hand_end end = {.table = write->table_id,
                                    .hand_no = write->hand_no,
                                    .ending = eng_ending_name(write->more->ending),
                                    .results = json,
                                    .record = write->more->record,
                                    .record_len = write->more->record_len,
                                    .next_seed = write->more->next_seed,
                                    .next_commit = write->more->next_commit};
    return not_refused(db_journal_end_hand(db, &end, write->code, err), write, err);
}

static enum db_journal_result write_deal(struct db_journal *db, struct tab_write *write, struct db_error *err)
{
    struct db_slice seeds[ENG_SEAT_MAX];
    ASSERT(write->more->seats_n >= 2 && write->more->seats_n <= ENG_SEAT_MAX && write->hand_no > 1);
    for (int i = 0; i < write->more->seats_n; i++)
        seeds[i] = (struct db_slice){write->more->seeds[i].bytes, write->more->seeds[i].len};
    return db_journal_deal(db, write->table_id, write->hand_no, seeds, write->more->seats_n, write->code,
                           err);
}

static enum db_journal_result write_loss(struct db_journal *db, struct tab_write *write, struct db_error *err)
{
    const struct db_loss loss = {.table = write->table_id,
                                 .code = write->more->loss,
                                 .data = write->more->loss_data,
                                 .record = write->more->record ? write->more->record : "",
                                 .record_len = write->more->record ? write->more->record_len : 0};
    return db_journal_lose(db, &loss, write->code, err);
}

static enum db_journal_result write_turn(struct db_journal *db, struct tab_write *write, struct db_error *err)
{
    const struct db_turn turn = {.table = write->table_id,
                                 .v = write->more->turn_v,
                                 .seats = write->more->turn_seats,
                                 .here = write->more->turn_here};
    return db_journal_turn(db, &turn, &write->more->due_unix_ms, write->code, err);
}

enum db_journal_result srv_journal_hand(struct db_journal *db, struct tab_write *write, struct db_error *err)
{
    switch (write->kind) {
    case TAB_WRITE_HAND:
        return write_hand(db, write, err);
    case TAB_WRITE_DEAL:
        return write_deal(db, write, err);
    case TAB_WRITE_LOSE:
        return write_loss(db, write, err);
    case TAB_WRITE_TURN:
        return write_turn(db, write, err);
    case TAB_WRITE_HANDOVER:
        return db_journal_hand_over(db, write->table_id, write->more->to_lighter, write->more->ws_url,
                                    sizeof(write->more->ws_url), write->code, err);
    case TAB_WRITE_SLEEP:
        return db_journal_sleep(db, write->table_id, write->code, err);
    default:
        ASSERT(write->kind == TAB_WRITE_CANCEL);
        return db_journal_cancel(db, write->table_id, write->more->reason, write->code, err);
    }
}
