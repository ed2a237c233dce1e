/* One blocking connection to PostgreSQL. Used at startup, by subcommands, and by the journal thread: one
 * thread each. */
#include "db/pg.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct db_conn {
    PGconn *pg; /* NULL when disconnected */
    char *conninfo;
    int64_t answer_ms; /* 0: no timeout */
    unsigned generation;
    struct db_prepared prepared;
};

/* ---- Errors ------------------------------------------------------------------------------- */

/* The first line of a libpq message, without the severity. */
static void first_line(char *out, size_t cap, const char *prefix, const char *message)
{
    ASSERT(cap > 0);
    size_t len = strcspn(message, "\n");
    while (len > 0 && message[len - 1] == ' ')
        len--;
    (void)snprintf(out, cap, "%s%.*s", prefix, (int)(len < cap ? len : cap - 1), message);
}

void db_error_from_libpq(struct db_error *err, PGconn *pg, enum db_outcome outcome, const char *prefix)
{
    ASSERT(outcome != DB_OK);
    *err = (struct db_error){.outcome = outcome};
    first_line(err->text, sizeof err->text, prefix, pg ? PQerrorMessage(pg) : "out of memory");
}

/* Errors of the database itself and not of the statement: a retry may succeed later. */
static enum db_outcome outcome_of(const char *state, enum db_outcome when_lost)
{
    if (strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0)
        return DB_RETRY;
    if (strncmp(state, "57P0", 4) == 0) /* the server is shutting down or starting up */
        return when_lost;
    bool short_of = strncmp(state, "53", 2) == 0 || strcmp(state, "58030") == 0;
    return short_of ? DB_NO_ROOM : DB_FAILED;
}

void db_error_from(struct db_error *err, PGconn *pg, const PGresult *res, enum db_outcome when_lost)
{
    ASSERT(when_lost == DB_DOWN || when_lost == DB_UNKNOWN);
    const char *state = res ? PQresultErrorField(res, PG_DIAG_SQLSTATE) : NULL;
    bool lost = PQstatus(pg) == CONNECTION_BAD;
    if (!state) {
        db_error_from_libpq(err, pg, lost ? when_lost : DB_FAILED,
                            lost ? "the connection to PostgreSQL is lost: " : "PostgreSQL: ");
        return;
    }
    *err = (struct db_error){.outcome = lost ? when_lost : outcome_of(state, when_lost)};
    (void)snprintf(err->sqlstate, sizeof err->sqlstate, "%s", state);
    ASSERT(strlen(state) < sizeof err->sqlstate);
    const char *message = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
    const char *prefix = "PostgreSQL: ";
    if (strcmp(state, "53100") == 0)
        prefix = "the disk of the database is full: ";
    first_line(err->text, sizeof err->text, prefix, message ? message : "no reason given");
}

/* ---- Notices -------------------------------------------------------------------------------- */

static const struct db_news_watch *_Atomic news_watch;

void db_watch_news(const struct db_news_watch *watch)
{
    atomic_store(&news_watch, watch);
}

/* "7 12" */
static void notify_watcher(const char *players)
{
    const struct db_news_watch *watch = atomic_load(&news_watch);
    char *end;
    for (int64_t id; watch && (id = strtoll(players, &end, 10)) > 0; players = end)
        watch->news(watch->ctx, id);
}

void db_on_notice(void *arg, const PGresult *res)
{
    (void)arg;
    const char *message = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
    const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
    if (message && state && strcmp(state, "RNEWS") == 0)
        notify_watcher(message);
    else
        log_debug("postgres_notice", LOG_TEXT("text", message));
}

/* ---- Prepared statements -------------------------------------------------------------------- */

/* The slot of the statement, or the free slot where it would be. */
static int slot_of(const struct db_prepared *set, const struct db_stmt *stmt)
{
    ASSERT(stmt && set->n < DB_STMT_MAX);
    size_t at = ((uintptr_t)stmt >> 3) * 2654435761U % DB_STMT_MAX;
    for (int tries = 0; tries < DB_STMT_MAX; tries++) {
        if (!set->slots[at] || set->slots[at] == stmt)
            return (int)at;
        at = (at + 1) % DB_STMT_MAX;
    }
    BUG("more than DB_STMT_MAX statements on one connection");
}

bool db_prepared_has(const struct db_prepared *set, const struct db_stmt *stmt)
{
    return set->slots[slot_of(set, stmt)] == stmt;
}

void db_prepared_add(struct db_prepared *set, const struct db_stmt *stmt)
{
    int at = slot_of(set, stmt);
    if (set->slots[at] == stmt)
        return;
    ASSERT(set->n < DB_STMT_MAX - 1); /* one slot remains free, so that the search ends */
    set->slots[at] = stmt;
    set->n++;
}

void db_prepared_remove(struct db_prepared *set, const struct db_stmt *stmt)
{
    struct db_prepared old = *set;
    memset(set, 0, sizeof *set);
    for (int i = 0; i < DB_STMT_MAX; i++) {
        if (old.slots[i] && old.slots[i] != stmt)
            db_prepared_add(set, old.slots[i]);
    }
    ASSERT(set->n == old.n || set->n == old.n - 1);
}

/* ---- Connecting ------------------------------------------------------------------------------ */

const char db_session_settings[] =
#define DB_SESSION(name, value) "-c " name "=" value " "
#include "db/session.def"
#undef DB_SESSION
    ;

void db_connect_params(const char *conninfo, const char *name, const char *settings, const char **keywords,
                       const char **values)
{
    /* The conninfo can override parameters before dbname, but not those after it. */
    const char *const params[][2] = {
        {"connect_timeout", "10"},     {"keepalives_idle", "10"},
        {"keepalives_interval", "5"},  {"keepalives_count", "3"},
        {"tcp_user_timeout", "15000"}, {"application_name", name ? name : "rummyd"},
        {"dbname", conninfo},          {"client_encoding", "UTF8"},
        {"options", settings},
    };
    _Static_assert(ARRAY_LEN(params) < DB_CONNECT_MAX, "the terminator needs a place");
    for (size_t i = 0; i < ARRAY_LEN(params); i++) {
        keywords[i] = params[i][0];
        values[i] = params[i][1];
    }
    keywords[ARRAY_LEN(params)] = NULL;
    values[ARRAY_LEN(params)] = NULL;
}

static void drop(struct db_conn *conn)
{
    PQfinish(conn->pg);
    conn->pg = NULL;
    conn->prepared = (struct db_prepared){0};
}

bool db_reopen(struct db_conn *conn, struct db_error *err)
{
    const char *keywords[DB_CONNECT_MAX];
    const char *values[DB_CONNECT_MAX];
    drop(conn);
    ASSERT(conn->prepared.n == 0); /* a new connection has no prepared statements */
    db_connect_params(conn->conninfo, NULL, db_session_settings, keywords, values);
    conn->pg = PQconnectdbParams(keywords, values, 1);
    if (PQstatus(conn->pg) != CONNECTION_OK) {
        *err = (struct db_error){.outcome = DB_DOWN};
        first_line(err->text, sizeof err->text,
                   "cannot connect to PostgreSQL: ", conn->pg ? PQerrorMessage(conn->pg) : "out of memory");
        drop(conn);
        return false;
    }
    PQsetNoticeReceiver(conn->pg, db_on_notice, NULL);
    (void)PQsetnonblocking(conn->pg, conn->answer_ms > 0); /* otherwise sending could block forever */
    conn->generation++;
    return true;
}

struct db_conn *db_open(const char *conninfo, struct db_error *err)
{
    ASSERT(conninfo);
    struct db_conn *conn = calloc(1, sizeof *conn);
    if (conn)
        conn->conninfo = strdup(conninfo);
    if (!conn || !conn->conninfo) {
        *err = (struct db_error){.outcome = DB_DOWN, .text = "out of memory"};
        free(conn);
        return NULL;
    }
    if (!db_reopen(conn, err)) {
        db_close(conn);
        return NULL;
    }
    return conn;
}

void db_close(struct db_conn *conn)
{
    if (!conn)
        return;
    drop(conn);
    free(conn->conninfo);
    free(conn);
}

void db_answer_within(struct db_conn *conn, int64_t ms)
{
    ASSERT(ms > 0 && conn->pg);
    conn->answer_ms = ms;
    (void)PQsetnonblocking(conn->pg, 1);
}

bool db_is_up(const struct db_conn *conn)
{
    return conn->pg && PQstatus(conn->pg) == CONNECTION_OK;
}

unsigned db_generation(const struct db_conn *conn)
{
    return conn->generation;
}

int db_socket(const struct db_conn *conn)
{
    return db_is_up(conn) ? PQsocket(conn->pg) : -1;
}

PGconn *db_handle(struct db_conn *conn)
{
    return conn->pg;
}

bool db_keep_up(struct db_conn **conn, const char *conninfo, int64_t answer_ms, struct db_error *err)
{
    if (*conn)
        return db_is_up(*conn) || db_reopen(*conn, err);
    *conn = db_open(conninfo, err);
    if (*conn)
        db_answer_within(*conn, answer_ms);
    return *conn != NULL;
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* Detects a connection that broke while idle. Nothing has been sent then, so that the outcome is DB_DOWN
 * instead of DB_UNKNOWN. */
static bool ready(struct db_conn *conn, struct db_error *err)
{
    if (!conn->pg) {
        *err = (struct db_error){.outcome = DB_DOWN, .text = "there is no connection to PostgreSQL"};
        return false;
    }
    if (PQconsumeInput(conn->pg) && PQstatus(conn->pg) == CONNECTION_OK)
        return true;
    db_error_from(err, conn->pg, NULL, DB_DOWN);
    return false;
}

/* Waits until an answer is available, the connection is broken, or the timeout expires. A server that is
 * silent until then counts as unreachable, even if a proxy in between keeps the connection open: the socket
 * is shut down, so that libpq finds it broken. */
static void await(struct db_conn *conn, int64_t until_ms)
{
    for (;;) {
        int unsent = PQflush(conn->pg);
        if (unsent < 0 || (unsent == 0 && !PQisBusy(conn->pg)))
            return;
        int64_t left_ms = conn->answer_ms > 0 ? until_ms - clock_mono_ms() : -1;
        struct pollfd line = {.fd = PQsocket(conn->pg), .events = unsent ? POLLIN | POLLOUT : POLLIN};
        if ((conn->answer_ms > 0 && left_ms <= 0) || poll(&line, 1, (int)left_ms) == 0) {
            log_warn("database_silent", LOG_NUM("ms", conn->answer_ms));
            (void)shutdown(line.fd, SHUT_RDWR);
            return;
        }
        if (!PQconsumeInput(conn->pg))
            return;
    }
}

/* The last result of the statements sent, like PQexec; NULL if it could not be sent. */
static PGresult *answer(struct db_conn *conn, int sent)
{
    int64_t until_ms = clock_mono_ms() + conn->answer_ms;
    PGresult *last = NULL;
    while (sent) {
        await(conn, until_ms);
        PGresult *res = PQgetResult(conn->pg);
        if (!res)
            break;
        PQclear(last);
        last = res;
    }
    return last;
}

PGresult *db_exec(struct db_conn *conn, const char *sql)
{
    return answer(conn, PQsendQuery(conn->pg, sql));
}

static PGresult *succeeded(struct db_conn *conn, PGresult *res, struct db_error *err)
{
    ExecStatusType status = PQresultStatus(res);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return res;
    db_error_from(err, conn->pg, res, DB_UNKNOWN);
    PQclear(res);
    ASSERT(err->outcome != DB_OK);
    return NULL;
}

bool db_prepare(struct db_conn *conn, const struct db_stmt *stmt, struct db_error *err)
{
    ASSERT(strlen(stmt->name) <= DB_STMT_NAME_MAX);
    if (!ready(conn, err))
        return false;
    if (db_prepared_has(&conn->prepared, stmt))
        return true;
    DB_AUTO PGresult *res =
        succeeded(conn, answer(conn, PQsendPrepare(conn->pg, stmt->name, stmt->sql, 0, NULL)), err);
    if (res)
        db_prepared_add(&conn->prepared, stmt);
    else if (err->outcome == DB_UNKNOWN)
        err->outcome = DB_DOWN; /* preparing changes no data */
    return res != NULL;
}

PGresult *db_run(struct db_conn *conn, const struct db_stmt *stmt, const struct db_args *args,
                 struct db_error *err)
{
    const char *values[DB_ARGS_MAX];
    int lengths[DB_ARGS_MAX];
    int formats[DB_ARGS_MAX];
    ASSERT(stmt->n_params <= DB_ARGS_MAX);
    if (args && !db_args_ok(args)) {
        *err = (struct db_error){.outcome = DB_TOO_BIG, .text = "the arguments of the statement are too big"};
        return NULL;
    }
    ASSERT(stmt->n_params == (args ? args->n : 0));
    if (!db_prepare(conn, stmt, err))
        return NULL;
    if (args)
        db_args_bind(args, values, lengths, formats);
    int sent = PQsendQueryPrepared(conn->pg, stmt->name, stmt->n_params, values, lengths, formats, 0);
    return succeeded(conn, answer(conn, sent), err);
}

bool db_script(struct db_conn *conn, const char *sql, struct db_error *err)
{
    ASSERT(sql[0] != '\0');
    if (!ready(conn, err))
        return false;
    PGresult *res = succeeded(conn, db_exec(conn, sql), err);
    PQclear(res);
    return res != NULL;
}

/* ---- Results --------------------------------------------------------------------------------- */

int db_col(const PGresult *res, const char *name)
{
    int col = PQfnumber(res, name);
    ASSERT(col >= 0);
    return col;
}

/* Outside the result, libpq returns NULL, which would be mistaken for an SQL NULL. */
static void check_place(const PGresult *res, int row, int col)
{
    ASSERT(row >= 0 && row < PQntuples(res) && col >= 0 && col < PQnfields(res));
}

int64_t db_i64(const PGresult *res, int row, int col)
{
    check_place(res, row, col);
    int64_t number = 0;
    if (!PQgetisnull(res, row, col))
        ASSERT(text_i64(PQgetvalue(res, row, col), INT64_MIN, INT64_MAX, &number));
    return number;
}

bool db_bool(const PGresult *res, int row, int col)
{
    check_place(res, row, col);
    if (PQgetisnull(res, row, col))
        return false;
    const char *text = PQgetvalue(res, row, col);
    ASSERT(strcmp(text, "t") == 0 || strcmp(text, "f") == 0);
    return text[0] == 't';
}

const char *db_text(const PGresult *res, int row, int col)
{
    check_place(res, row, col);
    return PQgetisnull(res, row, col) ? NULL : PQgetvalue(res, row, col);
}

int db_bytes(const PGresult *res, int row, int col, uint8_t *out, size_t cap)
{
    check_place(res, row, col);
    if (PQgetisnull(res, row, col))
        return -1;
    const char *text = PQgetvalue(res, row, col);
    ASSERT(strncmp(text, "\\x", 2) == 0);
    return text_unhex(out, cap, text + 2, (size_t)PQgetlength(res, row, col) - 2);
}
