/* Statements of the journal; see journal.h. Used only by the journal's threads. */
#include "db/journal.h"

#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A move's arguments are under 150 bytes including array headers; settlements include their records. */
enum { ARGS_BYTES = DB_JOURNAL_BATCH_MAX * 160 + 1024 * 1024 };

static const struct db_stmt node_start_stmt = {"do_node_start", "SELECT code, epoch FROM do_node_start($1)",
                                               1};
static const struct db_stmt node_resume_stmt = {"do_node_resume", "SELECT code FROM do_node_resume($1, $2)",
                                                2};
static const struct db_stmt renewals_stmt = {"node_renewals",
                                             "SELECT renewals FROM node_leases WHERE node = $1", 1};
static const struct db_stmt moves_stmt = {
    "do_journal_append",
    "SELECT do_journal_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS n", 13};
static const struct db_stmt seed_stmt = {"do_set_seed", "SELECT code FROM do_set_seed($1, $2, $3, $4)", 4};
const struct db_stmt db_leave_seat_stmt = {"do_leave_seat", "SELECT code FROM do_leave_seat($1, $2)", 2};
static const struct db_stmt lock_stmt = {"do_lock_tables", "SELECT do_lock_tables($1)", 1};
static const struct db_stmt start_stmt = {
    "do_start_batch",
    "SELECT table_id, code, practice, seat, player_id, bot_level, nickname, avatar, client_seed, "
    "coalesce((SELECT p.kind = 'bot' FROM players p WHERE p.id = player_id), false) AS program "
    "FROM do_start_batch($1, $2, $3, $4, $5)",
    5};
static const struct db_stmt end_hand_stmt = {
    "do_end_hand", "SELECT code FROM do_end_hand($1, $2, $3, $4, $5, $6, $7, $8)", 8};
static const struct db_stmt deal_stmt = {"do_deal_hand", "SELECT code FROM do_deal_hand($1, $2, $3, $4)", 4};
static const struct db_stmt settle_stmt = {
    "do_settle_batch",
    "SELECT table_id, code, game_id, seat, player_id, game_points, clover, silver, gold, silver_lost, "
    "level_gold, level, levels_gained, title, rating, rated, took_part, same_people "
    "FROM do_settle_batch($1, $2, $3, $4::text[]::jsonb[], $5)",
    5};
/* The last move is written in the settlement's transaction; if the settlement is repeated, the move must be
 * removed first. */
static const struct db_stmt forget_stmt = {"do_forget_moves", "SELECT do_forget_moves($1)", 1};
static const struct db_stmt lose_stmt = {"do_lose_table",
                                         "SELECT code FROM do_lose_table($1, $2, $3, $4, $5)", 5};
static const struct db_stmt cancel_stmt = {"do_cancel_table", "SELECT code FROM do_cancel_table($1, $2, $3)",
                                           3};
static const struct db_stmt turn_stmt = {"do_slow_turn",
                                         "SELECT code, due_ms FROM do_slow_turn($1, $2, $3, $4, $5)", 5};
static const struct db_stmt hand_over_stmt = {
    "do_hand_over_table", "SELECT code, ws_url FROM do_hand_over_table($1, $2, $3, $4)", 4};
static const struct db_stmt sleep_stmt = {"do_sleep_table", "SELECT code FROM do_sleep_table($1, $2)", 2};

/* PostgreSQL rejects the data rather than reporting a server problem: data and constraint errors, errors
 * raised by our functions (P0, RU), and rows that it can no longer read. If we reject the data ourselves,
 * there is no SQLSTATE. */
static bool is_of_the_data(const char *sqlstate)
{
    static const char *const kinds[] = {"21", "22", "23", "27", "44", "P0", "RU", "XX001", "XX002"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (strncmp(sqlstate, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return sqlstate[0] == '\0';
}

enum db_journal_result db_journal_result_of(const struct db_error *err)
{
    ASSERT(err->outcome != DB_OK);
    switch (err->outcome) {
    case DB_DOWN:
    case DB_UNKNOWN:
        return DB_JOURNAL_LOST;
    case DB_NO_ROOM:
    case DB_RETRY:
        return DB_JOURNAL_LATER;
    default:
        return is_of_the_data(err->sqlstate) ? DB_JOURNAL_FAILED : DB_JOURNAL_LOST;
    }
}

static struct db_args begin_args(const struct db_journal *journal)
{
    ASSERT(journal->mem);
    struct db_args args;
    db_args_init(&args, journal->mem, ARGS_BYTES);
    return args;
}

/* For a function that returns a code in its first row. */
static enum db_journal_result read_code(const PGresult *rows, char code[DB_JOURNAL_CODE_MAX])
{
    ASSERT(PQntuples(rows) <= DB_JOURNAL_SEATS_MAX);
    const char *answer = PQntuples(rows) > 0 ? db_text(rows, 0, 0) : NULL;
    (void)snprintf(code, DB_JOURNAL_CODE_MAX, "%s", answer ? answer : "no_answer");
    if (strcmp(code, "ok") == 0 || strcmp(code, "already_done") == 0)
        return DB_JOURNAL_DONE;
    return strcmp(code, "stale_epoch") == 0 ? DB_JOURNAL_FENCED : DB_JOURNAL_REFUSED;
}

static enum db_journal_result run_code(struct db_journal *journal, const struct db_stmt *stmt,
                                       const struct db_args *args, char code[DB_JOURNAL_CODE_MAX],
                                       struct db_error *err)
{
    ASSERT(stmt->n_params == args->n || !db_args_ok(args));
    DB_AUTO PGresult *rows = db_run(journal->conn, stmt, args, err);
    return rows ? read_code(rows, code) : db_journal_result_of(err);
}

/* ---- The node ---- */
/* A process that freezes in a transaction keeps its node's row locked. It must not do so for longer than a
 * lease, or no other node could take over its tables. */
static bool set_up_session(struct db_journal *journal, struct db_error *err)
{
    return db_script(journal->conn, "SET idle_in_transaction_session_timeout = '3s'", err);
}

/* false: LOST, with *err. */
static bool connect_as(struct db_journal *journal, const char *conninfo, const char *node,
                       struct db_error *err)
{
    *journal = (struct db_journal){0};
    *err = (struct db_error){0};
    ASSERT(strlen(node) <= DB_NODE_NAME_MAX); /* truncated, it could be another node's name */
    (void)snprintf(journal->node, sizeof(journal->node), "%s", node);
    journal->mem = malloc(ARGS_BYTES);
    journal->conn = db_open(conninfo, err);
    if (journal->conn)
        db_answer_within(journal->conn, DB_ANSWER_MS_MAX);
    return journal->mem && journal->conn && set_up_session(journal, err);
}

enum db_journal_result db_journal_open(struct db_journal *journal, const char *conninfo, const char *node,
                                       struct db_error *err)
{
    if (!connect_as(journal, conninfo, node, err))
        return DB_JOURNAL_LOST;
    struct db_args args = begin_args(journal);
    db_args_text(&args, node);
    DB_AUTO PGresult *rows = db_run(journal->conn, &node_start_stmt, &args, err);
    if (!rows)
        return db_journal_result_of(err);
    char code[DB_JOURNAL_CODE_MAX];
    enum db_journal_result result = read_code(rows, code);
    if (result == DB_JOURNAL_DONE)
        journal->epoch = db_i64(rows, 0, 1);
    ASSERT(result != DB_JOURNAL_DONE || journal->epoch > 0);
    return result;
}

enum db_journal_result db_journal_open_second(struct db_journal *journal, const char *conninfo,
                                              const struct db_journal *named, struct db_error *err)
{
    bool ok = connect_as(journal, conninfo, named->node, err);
    journal->epoch = named->epoch;
    journal->second = true;
    return ok ? DB_JOURNAL_DONE : DB_JOURNAL_LOST;
}

void db_journal_close(struct db_journal *journal)
{
    db_close(journal->conn);
    free(journal->mem);
    *journal = (struct db_journal){0};
}

enum db_journal_result db_journal_resume(struct db_journal *journal, struct db_error *err)
{
    ASSERT(journal->epoch > 0); /* only a process that had the name may take it again */
    if (!db_reopen(journal->conn, err) || !set_up_session(journal, err))
        return DB_JOURNAL_LOST;
    if (journal->second)
        return DB_JOURNAL_DONE; /* each write checks the epoch */
    char code[DB_JOURNAL_CODE_MAX];
    struct db_args args = begin_args(journal);
    db_args_text(&args, journal->node);
    db_args_int(&args, journal->epoch);
    return run_code(journal, &node_resume_stmt, &args, code, err);
}

int64_t db_journal_renewals(struct db_journal *journal)
{
    ASSERT(journal->conn && journal->node[0] != '\0');
    struct db_error err;
    struct db_args args = begin_args(journal);
    db_args_text(&args, journal->node);
    DB_AUTO PGresult *rows = db_run(journal->conn, &renewals_stmt, &args, &err);
    return rows && PQntuples(rows) == 1 ? db_i64(rows, 0, 0) : 0;
}

/* ---- Moves ---- */
enum db_journal_result db_journal_moves(struct db_journal *journal, const struct db_move *moves, size_t n,
                                        struct db_error *err)
{
    static _Thread_local struct {
        int64_t tables[DB_JOURNAL_BATCH_MAX], hashes[DB_JOURNAL_BATCH_MAX], left_tables[DB_JOURNAL_BATCH_MAX];
        int32_t hands[DB_JOURNAL_BATCH_MAX], vs[DB_JOURNAL_BATCH_MAX], time_banks_ms[DB_JOURNAL_BATCH_MAX],
            hand_clocks_ms[DB_JOURNAL_BATCH_MAX];
        int16_t seats[DB_JOURNAL_BATCH_MAX], left_seats[DB_JOURNAL_BATCH_MAX];
        struct db_slice bytes[DB_JOURNAL_BATCH_MAX], commands[DB_JOURNAL_BATCH_MAX];
    } rows;
    bool in_time_bank = false, on_hand_clock = false;
    size_t left_n = 0;
    ASSERT(n > 0 && n <= DB_JOURNAL_BATCH_MAX);
    for (size_t i = 0; i < n; i++) {
        ASSERT(moves[i].table_id > 0 && moves[i].v > 0 && moves[i].v <= INT32_MAX);
        ASSERT(moves[i].len > 0 && moves[i].time_bank_ms >= 0 && moves[i].seat < DB_JOURNAL_SEATS_MAX);
        ASSERT(moves[i].hand_clock_ms >= 0);
        ASSERT(moves[i].hand_no > 0 && moves[i].hand_no <= INT32_MAX);
        rows.tables[i] = moves[i].table_id;
        rows.hashes[i] = (int64_t)moves[i].hash;
        rows.hands[i] = (int32_t)moves[i].hand_no;
        rows.vs[i] = (int32_t)moves[i].v;
        rows.seats[i] = moves[i].seat;
        rows.time_banks_ms[i] = moves[i].time_bank_ms;
        rows.hand_clocks_ms[i] = moves[i].hand_clock_ms;
        in_time_bank |= moves[i].time_bank_ms != 0;
        on_hand_clock |= moves[i].hand_clock_ms != 0;
        if (moves[i].leaves) {
            rows.left_tables[left_n] = moves[i].table_id;
            rows.left_seats[left_n++] = moves[i].seat;
        }
        rows.bytes[i] = (struct db_slice){moves[i].bytes, moves[i].len};
        rows.commands[i] = (struct db_slice){moves[i].command_id, strlen(moves[i].command_id)};
    }
    struct db_args args = begin_args(journal);
    db_args_text(&args, journal->node);
    db_args_int(&args, journal->epoch);
    db_args_i64_array(&args, rows.tables, n);
    db_args_i32_array(&args, rows.hands, n);
    db_args_i32_array(&args, rows.vs, n);
    db_args_i16_array(&args, rows.seats, n);
    db_args_bytes_array(&args, rows.bytes, n);
    db_args_i64_array(&args, rows.hashes, n);
    db_args_text_array(&args, rows.commands, n);
    db_args_i32_array(&args, rows.time_banks_ms, in_time_bank ? n : 0);
    db_args_i64_array(&args, rows.left_tables, left_n);
    db_args_i16_array(&args, rows.left_seats, left_n);
    db_args_i32_array(&args, rows.hand_clocks_ms, on_hand_clock ? n : 0);
    DB_AUTO PGresult *answer = db_run(journal->conn, &moves_stmt, &args, err);
    if (!answer)
        return db_journal_result_of(err);
    ASSERT(PQntuples(answer) == 1);
    if (PQgetisnull(answer, 0, 0))
        return DB_JOURNAL_FENCED;
    ASSERT(db_i64(answer, 0, 0) <= (int64_t)n);
    if (db_i64(answer, 0, 0) == (int64_t)n)
        return DB_JOURNAL_DONE;
    *err = (struct db_error){.outcome = DB_FAILED, .text = "the journal has another move with this number"};
    return DB_JOURNAL_FAILED;
}

/* ---- Seats and hands ---- */
enum db_journal_result db_journal_seed(struct db_journal *journal, int64_t table, int seat, const void *seed,
                                       size_t len, char code[DB_JOURNAL_CODE_MAX], struct db_error *err)
{
    ASSERT(table > 0 && seat >= 0 && seat < DB_JOURNAL_SEATS_MAX && len > 0);
    struct db_args args = begin_args(journal);
    db_args_int(&args, table);
    db_args_int(&args, seat);
    db_args_bytes(&args, seed, len);
    db_args_int(&args, journal->epoch);
    return run_code(journal, &seed_stmt, &args, code, err);
}

enum db_journal_result db_journal_leave(struct db_journal *journal, int64_t player, int64_t table, bool tried,
                                        char code[DB_JOURNAL_CODE_MAX], struct db_error *err)
{
    ASSERT(player > 0 && table > 0);
    struct db_args args = begin_args(journal);
    db_args_int(&args, player);
    db_args_int(&args, table);
    enum db_journal_result result = run_code(journal, &db_leave_seat_stmt, &args, code, err);
    if (result != DB_JOURNAL_REFUSED)
        return result;
    /* A retry finds the seat empty, and the table closed if the player was the last one there. */
    if (tried && strcmp(code, "game_running") != 0)
        return DB_JOURNAL_DONE;
    /* The client distinguishes only two reasons: the player has no seat at the table, or the table no
     * longer waits. */
    bool gone = strcmp(code, "no_such_seat") == 0;
    (void)snprintf(code, DB_JOURNAL_CODE_MAX, "%s", gone ? "not_seated" : "table_over");
    return DB_JOURNAL_REFUSED;
}

enum db_journal_result db_journal_lock(struct db_journal *journal, const int64_t *tables, size_t n,
                                       struct db_error *err)
{
    ASSERT(n > 0 && n <= DB_JOURNAL_BATCH_MAX);
    struct db_args args = begin_args(journal);
    db_args_i64_array(&args, tables, n);
    DB_AUTO PGresult *rows = db_run(journal->conn, &lock_stmt, &args, err);
    return rows ? DB_JOURNAL_DONE : db_journal_result_of(err);
}

enum db_journal_result db_journal_start(struct db_journal *journal, const struct db_start *starts, size_t n,
                                        PGresult **rows, struct db_error *err)
{
    int64_t tables[DB_JOURNAL_START_MAX];
    int32_t bot_levels[DB_JOURNAL_START_MAX];
    struct db_slice nicks[DB_JOURNAL_START_MAX][DB_JOURNAL_SEATS_MAX],
        seeds[DB_JOURNAL_START_MAX][DB_JOURNAL_SEATS_MAX];
    ASSERT(n > 0 && n <= DB_JOURNAL_START_MAX);
    for (size_t i = 0; i < n; i++) {
        ASSERT(starts[i].table > 0);
        tables[i] = starts[i].table;
        bot_levels[i] = starts[i].bot_level;
        memcpy(nicks[i], starts[i].nicks, sizeof(nicks[i]));
        memcpy(seeds[i], starts[i].seeds, sizeof(seeds[i]));
    }
    struct db_args args = begin_args(journal);
    db_args_i64_array(&args, tables, n);
    db_args_int(&args, journal->epoch);
    db_args_text_array(&args, nicks[0], n * DB_JOURNAL_SEATS_MAX);
    db_args_i32_array(&args, bot_levels, n);
    db_args_bytes_array(&args, seeds[0], n * DB_JOURNAL_SEATS_MAX);
    *rows = db_run(journal->conn, &start_stmt, &args, err);
    if (!*rows)
        return db_journal_result_of(err);
    for (int row = 0, code = db_col(*rows, "code"); row < PQntuples(*rows); row++)
        if (strcmp(db_text(*rows, row, code), "stale_epoch") == 0)
            return DB_JOURNAL_FENCED;
    return DB_JOURNAL_DONE;
}

enum db_journal_result db_journal_end_hand(struct db_journal *journal, const struct db_hand_end *end,
                                           char code[DB_JOURNAL_CODE_MAX], struct db_error *err)
{
    ASSERT(end->table > 0 && end->hand_no > 0 && end->results && end->record_len > 0);
    ASSERT(end->next_seed && end->next_commit && end->ending[0] != '\0');
    struct db_args args = begin_args(journal);
    db_args_int(&args, end->table);
    db_args_int(&args, journal->epoch);
    db_args_int(&args, end->hand_no);
    db_args_text(&args, end->ending);
    db_args_text(&args, end->results);
    db_args_text_n(&args, end->record, end->record_len);
    db_args_bytes(&args, end->next_seed, 32);
    db_args_bytes(&args, end->next_commit, 32);
    return run_code(journal, &end_hand_stmt, &args, code, err);
}

enum db_journal_result db_journal_deal(struct db_journal *journal, int64_t table, uint32_t hand_no,
                                       const struct db_slice *seeds, size_t n, char code[DB_JOURNAL_CODE_MAX],
                                       struct db_error *err)
{
    ASSERT(table > 0 && hand_no > 1 && n > 1 && n <= DB_JOURNAL_SEATS_MAX);
    struct db_args args = begin_args(journal);
    db_args_int(&args, table);
    db_args_int(&args, journal->epoch);
    db_args_int(&args, hand_no);
    db_args_bytes_array(&args, seeds, n);
    return run_code(journal, &deal_stmt, &args, code, err);
}

/* DONE if all games are settled; *again: some already were. */
static enum db_journal_result read_codes(const PGresult *rows, bool *again, struct db_error *err)
{
    int code = db_col(rows, "code"), table = db_col(rows, "table_id");
    for (int row = 0; row < PQntuples(rows); row++) {
        const char *answer = db_text(rows, row, code);
        if (strcmp(answer, "stale_epoch") == 0)
            return DB_JOURNAL_FENCED;
        *again |= strcmp(answer, "already_done") == 0;
        if (strcmp(answer, "ok") == 0 || strcmp(answer, "already_done") == 0)
            continue;
        *err = (struct db_error){.outcome = DB_FAILED};
        (void)snprintf(err->text, sizeof(err->text), "the end of the game of table %lld was refused: %s",
                       (long long)db_i64(rows, row, table), answer);
        return DB_JOURNAL_FAILED;
    }
    return DB_JOURNAL_DONE;
}

static enum db_journal_result forget_moves(struct db_journal *journal, const int64_t *tables, size_t n,
                                           struct db_error *err)
{
    struct db_args args = begin_args(journal);
    db_args_i64_array(&args, tables, n);
    DB_AUTO PGresult *rows = db_run(journal->conn, &forget_stmt, &args, err);
    return rows ? DB_JOURNAL_DONE : db_journal_result_of(err);
}

enum db_journal_result db_journal_settle(struct db_journal *journal, const struct db_settle *settles,
                                         size_t n, PGresult **rows, struct db_error *err)
{
    int64_t tables[DB_JOURNAL_SETTLE_MAX];
    struct db_slice endings[DB_JOURNAL_SETTLE_MAX], results[DB_JOURNAL_SETTLE_MAX],
        records[DB_JOURNAL_SETTLE_MAX];
    ASSERT(n > 0 && n <= DB_JOURNAL_SETTLE_MAX);
    for (size_t i = 0; i < n; i++) {
        ASSERT(settles[i].table > 0 && settles[i].ending[0] != '\0' && settles[i].results);
        ASSERT(settles[i].record);
        tables[i] = settles[i].table;
        endings[i] = (struct db_slice){settles[i].ending, strlen(settles[i].ending)};
        results[i] = (struct db_slice){settles[i].results, strlen(settles[i].results)};
        records[i] = (struct db_slice){settles[i].record, settles[i].record_len};
    }
    struct db_args args = begin_args(journal);
    db_args_i64_array(&args, tables, n);
    db_args_int(&args, journal->epoch);
    db_args_text_array(&args, endings, n);
    db_args_text_array(&args, results, n);
    db_args_text_array(&args, records, n);
    *rows = db_run(journal->conn, &settle_stmt, &args, err);
    if (!*rows)
        return db_journal_result_of(err);
    bool again = false;
    enum db_journal_result result = read_codes(*rows, &again, err);
    if (result == DB_JOURNAL_DONE && again)
        result = forget_moves(journal, tables, n, err);
    return result;
}

enum db_journal_result db_journal_lose(struct db_journal *journal, const struct db_loss *loss,
                                       char code[DB_JOURNAL_CODE_MAX], struct db_error *err)
{
    ASSERT(loss->table > 0 && loss->code && loss->data && loss->record);
    struct db_args args = begin_args(journal);
    db_args_int(&args, loss->table);
    db_args_int(&args, journal->epoch);
    db_args_text(&args, loss->code);
    db_args_text(&args, loss->data);
    db_args_text_n(&args, loss->record, loss->record_len);
    return run_code(journal, &lose_stmt, &args, code, err);
}

enum db_journal_result db_journal_cancel(struct db_journal *journal, int64_t table, const char *reason,
                                         char code[DB_JOURNAL_CODE_MAX], struct db_error *err)
{
    ASSERT(table > 0 && reason && reason[0] != '\0');
    struct db_args args = begin_args(journal);
    db_args_int(&args, table);
    db_args_int(&args, journal->epoch);
    db_args_text(&args, reason);
    return run_code(journal, &cancel_stmt, &args, code, err);
}

static void add_seats(struct db_args *args, uint8_t seats)
{
    int16_t list[8];
    size_t n = 0;
    for (int16_t seat = 0; seat < 8; seat++)
        if (seats >> seat & 1)
            list[n++] = seat;
    db_args_i16_array(args, list, n);
}

enum db_journal_result db_journal_turn(struct db_journal *journal, const struct db_turn *turn,
                                       int64_t *due_unix_ms, char code[DB_JOURNAL_CODE_MAX],
                                       struct db_error *err)
{
    ASSERT(turn->table > 0 && turn->seats != 0);
    struct db_args args = begin_args(journal);
    db_args_int(&args, turn->table);
    db_args_int(&args, journal->epoch);
    db_args_int(&args, turn->v);
    add_seats(&args, turn->seats);
    add_seats(&args, turn->here);
    DB_AUTO PGresult *rows = db_run(journal->conn, &turn_stmt, &args, err);
    if (!rows)
        return db_journal_result_of(err);
    int due = db_col(rows, "due_ms");
    *due_unix_ms = PQgetisnull(rows, 0, due) ? INT64_MAX : db_i64(rows, 0, due);
    return read_code(rows, code);
}

enum db_journal_result db_journal_sleep(struct db_journal *journal, int64_t table,
                                        char code[DB_JOURNAL_CODE_MAX], struct db_error *err)
{
    ASSERT(table > 0);
    struct db_args args = begin_args(journal);
    db_args_int(&args, table);
    db_args_int(&args, journal->epoch);
    return run_code(journal, &sleep_stmt, &args, code, err);
}

enum db_journal_result db_journal_hand_over(struct db_journal *journal, int64_t table, bool to_lighter,
                                            char *url, size_t cap, char code[DB_JOURNAL_CODE_MAX],
                                            struct db_error *err)
{
    ASSERT(table > 0 && cap > 0);
    struct db_args args = begin_args(journal);
    db_args_int(&args, table);
    db_args_text(&args, journal->node);
    db_args_int(&args, journal->epoch);
    db_args_bool(&args, to_lighter);
    DB_AUTO PGresult *rows = db_run(journal->conn, &hand_over_stmt, &args, err);
    if (!rows)
        return db_journal_result_of(err);
    enum db_journal_result result = read_code(rows, code);
    if (result == DB_JOURNAL_DONE)
        (void)snprintf(url, cap, "%s", db_text(rows, 0, db_col(rows, "ws_url")));
    return result;
}
