/* One asynchronous connection of a pipe, a state machine on libev. Used by db/pipe.c on its loop's thread. */
#include "db/async_conn.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* The answer timeout is divided into parts, so that time during which this process was suspended counts as
 * at most one of them: after a suspension, the process must read the answers that have arrived before it
 * considers the connection lost. */
enum { SILENCE_PARTS = 10 };

static void on_io(struct ev_loop *loop, ev_io *watcher, int events);
static void on_timer(struct ev_loop *loop, ev_timer *watcher, int events);

void db_async_conn_init(struct db_async_conn *conn, struct ev_loop *loop,
                        const struct db_async_conn_hooks *hooks, void *owner,
                        const struct db_pipe_options *options, bool commits, int depth_max)
{
    ASSERT(depth_max >= 1 && depth_max <= DB_ASYNC_CONN_DEPTH_MAX);
    ASSERT(!commits || depth_max == 1); /* one statement and one commit at a time */
    ASSERT(options->answer_ms_max > 0 && options->retry_ms_min > 0);
    *conn = (struct db_async_conn){
        .loop = loop,
        .hooks = hooks,
        .owner = owner,
        .conninfo = options->conninfo,
        .name = options->name,
        .commits = commits,
        .depth_max = depth_max,
        .answer_ms_max = options->answer_ms_max,
        .retry_ms_min = options->retry_ms_min,
        .retry_ms_max = options->retry_ms_max,
        .pause_ms = options->retry_ms_min,
    };
    ev_init(&conn->io, on_io);
    ev_init(&conn->timer, on_timer);
    conn->io.data = conn;
    conn->timer.data = conn;
}

/* ---- The ring of sent entries ----------------------------------------------------------------- */

static void push(struct db_async_conn *conn, enum db_async_conn_entry what, const struct db_stmt *stmt,
                 struct db_request *request)
{
    ASSERT(conn->n < DB_ASYNC_CONN_ENTRIES_MAX);
    ASSERT((request != NULL) == (what == ENTRY_QUERY));
    struct entry *entry = &conn->entries[(conn->head + conn->n) % DB_ASYNC_CONN_ENTRIES_MAX];
    entry->what = what;
    entry->stmt = stmt;
    entry->request = request;
    conn->n++;
    conn->queries_n += what == ENTRY_QUERY;
}

static struct entry pop(struct db_async_conn *conn)
{
    ASSERT(conn->n > 0);
    struct entry entry = conn->entries[conn->head];
    conn->head = (conn->head + 1) % DB_ASYNC_CONN_ENTRIES_MAX;
    conn->n--;
    conn->queries_n -= entry.what == ENTRY_QUERY;
    ASSERT(conn->queries_n >= 0 && conn->queries_n <= conn->n);
    return entry;
}

static void answer(struct db_async_conn *conn, struct db_request *request, const PGresult *rows,
                   const struct db_error *err)
{
    ASSERT(err ? err->outcome != DB_OK : rows != NULL);
    struct db_reply reply = {.outcome = err ? err->outcome : DB_OK, .rows = err ? NULL : rows, .err = err};
    conn->hooks->done(conn->owner, request, &reply);
}

/* ---- Connecting and losing the connection --------------------------------------------------- */

static void watch(struct db_async_conn *conn, int events)
{
    int fd = PQsocket(conn->pg);
    ASSERT(conn->state == DB_ASYNC_CONN_CONNECTING || conn->state == DB_ASYNC_CONN_UP);
    if (fd >= 0 && ev_is_active(&conn->io) && conn->io.fd == fd &&
        (conn->io.events & (EV_READ | EV_WRITE)) == events)
        return;
    ev_io_stop(conn->loop, &conn->io);
    if (fd < 0)
        return;
    ev_io_set(&conn->io, fd, events);
    ev_io_start(conn->loop, &conn->io);
}

static void set_timer(struct db_async_conn *conn, int ms)
{
    ASSERT(ms >= 0);
    ev_timer_stop(conn->loop, &conn->timer);
    ev_timer_set(&conn->timer, ms / 1000.0, 0.);
    ev_timer_start(conn->loop, &conn->timer);
}

/* Fails everything pending; whether the writes were executed is unknown. */
static void give_up_entries(struct db_async_conn *conn, const struct db_error *why)
{
    struct db_error err = *why;
    err.outcome = conn->commits ? DB_UNKNOWN : DB_DOWN;
    if (conn->held) {
        struct db_request *held = conn->held;
        conn->held = NULL;
        PQclear(conn->held_rows);
        conn->held_rows = NULL;
        answer(conn, held, NULL, &err);
    }
    while (conn->n > 0) {
        struct entry entry = pop(conn);
        if (entry.what == ENTRY_QUERY)
            answer(conn, entry.request, NULL, &err);
    }
    ASSERT(conn->queries_n == 0 && !conn->held);
}

static void disconnect(struct db_async_conn *conn)
{
    ev_io_stop(conn->loop, &conn->io);
    ev_timer_stop(conn->loop, &conn->timer);
    PQfinish(conn->pg);
    conn->pg = NULL;
    conn->prepared = (struct db_prepared){0};
    conn->unprepared = NULL;
    conn->segment_open = false;
}

/* The connection is unusable; a new one is opened after a pause. */
static void lost(struct db_async_conn *conn, const struct db_error *why)
{
    bool was_up = conn->state == DB_ASYNC_CONN_UP, first = !conn->tried;
    ASSERT(conn->state != DB_ASYNC_CONN_IDLE && why->outcome != DB_OK);
    ASSERT(was_up || (conn->n == 0 && !conn->held)); /* nothing has been sent yet */
    conn->last_err = *why;
    conn->tried = true;
    disconnect(conn);
    conn->state = DB_ASYNC_CONN_WAITING;
    set_timer(conn, conn->pause_ms);
    conn->pause_ms = conn->pause_ms * 2 < conn->retry_ms_max ? conn->pause_ms * 2 : conn->retry_ms_max;
    if (was_up) {
        log_warn("database_connection_lost", LOG_TEXT("why", why->text));
        give_up_entries(conn, &conn->last_err);
    }
    if (was_up || first)
        conn->hooks->changed(conn->owner);
}

static void lost_by_libpq(struct db_async_conn *conn, const char *prefix)
{
    struct db_error err;
    db_error_from_libpq(&err, conn->pg, DB_DOWN, prefix);
    lost(conn, &err);
}

static void connected(struct db_async_conn *conn)
{
    ASSERT(conn->state == DB_ASYNC_CONN_CONNECTING && conn->prepared.n == 0);
    if (PQsetnonblocking(conn->pg, 1) != 0 || !PQenterPipelineMode(conn->pg)) {
        lost_by_libpq(conn, "cannot use the connection to PostgreSQL: ");
        return;
    }
    ev_timer_stop(conn->loop, &conn->timer);
    conn->state = DB_ASYNC_CONN_UP;
    conn->tried = true;
    conn->pause_ms = conn->retry_ms_min;
    conn->connects++;
    watch(conn, EV_READ);
    conn->hooks->changed(conn->owner);
}

static void go_on_connecting(struct db_async_conn *conn)
{
    ASSERT(conn->pg && conn->n == 0);
    switch (PQconnectPoll(conn->pg)) {
    case PGRES_POLLING_READING:
        watch(conn, EV_READ);
        return;
    case PGRES_POLLING_WRITING:
        watch(conn, EV_WRITE);
        return;
    case PGRES_POLLING_OK:
        connected(conn);
        return;
    default:
        lost_by_libpq(conn, "cannot connect to PostgreSQL: ");
    }
}

static void begin_connecting(struct db_async_conn *conn)
{
    ASSERT(!conn->pg);
    const char *keywords[DB_CONNECT_MAX];
    const char *values[DB_CONNECT_MAX];
    char settings[2048];
    /* The server cancels a statement before we would give up on it, so that no statement keeps running
     * unnoticed. */
    int len = snprintf(settings, sizeof settings, "%s-c statement_timeout=%d", db_session_settings,
                       conn->answer_ms_max / 10 * 9);
    ASSERT(len > 0 && (size_t)len < sizeof settings);
    db_connect_params(conn->conninfo, conn->name, settings, keywords, values);
    conn->pg = PQconnectStartParams(keywords, values, 1);
    conn->state = DB_ASYNC_CONN_CONNECTING;
    if (!conn->pg || PQstatus(conn->pg) == CONNECTION_BAD) {
        lost_by_libpq(conn, "cannot connect to PostgreSQL: ");
        return;
    }
    PQsetNoticeReceiver(conn->pg, db_on_notice, NULL);
    set_timer(conn, DB_CONNECT_MS_MAX);
    watch(conn, EV_WRITE);
}

void db_async_conn_start(struct db_async_conn *conn)
{
    ASSERT(conn->state == DB_ASYNC_CONN_IDLE && !conn->pg);
    conn->state = DB_ASYNC_CONN_WAITING;
    set_timer(conn, 0);
}

void db_async_conn_stop(struct db_async_conn *conn)
{
    static const struct db_error stopped = {.outcome = DB_DOWN, .text = "the connection is being closed"};
    disconnect(conn);
    conn->state = DB_ASYNC_CONN_IDLE;
    give_up_entries(conn, &stopped);
}

static void on_timer(struct ev_loop *loop, ev_timer *watcher, int events)
{
    struct db_async_conn *conn = watcher->data;
    (void)loop;
    (void)events;
    if (conn->state == DB_ASYNC_CONN_WAITING) {
        begin_connecting(conn);
    } else if (conn->state == DB_ASYNC_CONN_CONNECTING) {
        lost(conn, &(struct db_error){.outcome = DB_DOWN, .text = "cannot connect to PostgreSQL: no answer"});
    } else if (conn->n > 0) {
        if (++conn->silent_parts > SILENCE_PARTS)
            lost(conn, &(struct db_error){.outcome = DB_DOWN, .text = "PostgreSQL does not answer"});
        else
            set_timer(conn, conn->answer_ms_max / SILENCE_PARTS);
    }
}

/* ---- Sending --------------------------------------------------------------------------------------- */

bool db_async_conn_has_room(const struct db_async_conn *conn)
{
    return conn->state == DB_ASYNC_CONN_UP && conn->queries_n < conn->depth_max && !conn->held &&
           (!conn->commits || conn->n == 0) && conn->n + 6 <= DB_ASYNC_CONN_ENTRIES_MAX &&
           conn->turn_bytes < DB_ASYNC_CONN_TURN_BYTES_MAX;
}

static bool end_segment(struct db_async_conn *conn)
{
    if (!conn->segment_open)
        return true;
    if (!PQpipelineSync(conn->pg))
        return false;
    push(conn, ENTRY_SYNC, NULL, NULL);
    conn->segment_open = false;
    conn->syncs++;
    ASSERT(conn->n > 0);
    return true;
}

/* A prepare is enclosed by two Syncs, so that no other failure can undo it. */
static bool prepare(struct db_async_conn *conn, const struct db_stmt *stmt)
{
    ASSERT(strlen(stmt->name) <= DB_STMT_NAME_MAX);
    if (db_prepared_has(&conn->prepared, stmt))
        return true;
    if (!end_segment(conn) || !PQsendPrepare(conn->pg, stmt->name, stmt->sql, 0, NULL))
        return false;
    push(conn, ENTRY_PREPARE, stmt, NULL);
    db_prepared_add(&conn->prepared, stmt);
    conn->segment_open = true;
    return end_segment(conn);
}

static bool send_query(struct db_async_conn *conn, struct db_request *request)
{
    const char *values[DB_ARGS_MAX];
    int lengths[DB_ARGS_MAX];
    int formats[DB_ARGS_MAX];
    ASSERT(request->stmt->n_params == request->args.n);
    db_args_bind(&request->args, values, lengths, formats);
    return PQsendQueryPrepared(conn->pg, request->stmt->name, request->stmt->n_params, values, lengths,
                               formats, 0);
}

void db_async_conn_send(struct db_async_conn *conn, struct db_request *request)
{
    ASSERT(db_async_conn_has_room(conn));
    bool sent = prepare(conn, request->stmt) && (!request->alone || end_segment(conn));
    push(conn, ENTRY_QUERY, request->stmt, request);
    conn->segment_open = true;
    conn->turn_bytes += request->args.used;
    sent = sent && send_query(conn, request) && (!(request->alone || conn->commits) || end_segment(conn));
    if (!sent)
        lost_by_libpq(conn, "cannot send to PostgreSQL: ");
}

void db_async_conn_flush(struct db_async_conn *conn)
{
    ASSERT(conn->n >= 0 && conn->n <= DB_ASYNC_CONN_ENTRIES_MAX);
    conn->turn_bytes = 0;
    if (conn->state != DB_ASYNC_CONN_UP || conn->n == 0)
        return;
    int left = end_segment(conn) ? PQflush(conn->pg) : -1;
    if (left < 0) {
        /* The server may have sent answers before it closed the connection: on_io reads them, then finds
         * the end. */
        watch(conn, EV_READ);
        return;
    }
    watch(conn, left > 0 ? EV_READ | EV_WRITE : EV_READ);
    if (!ev_is_active(&conn->timer)) {
        conn->silent_parts = 0;
        set_timer(conn, conn->answer_ms_max / SILENCE_PARTS);
    }
}

/* ---- Answers ------------------------------------------------------------------------------------------ */

/* Ends the request or returns it to be sent again. */
static void failed(struct db_async_conn *conn, struct db_request *request, struct db_error *err)
{
    request->tries++;
    ASSERT(err->outcome != DB_OK && request->tries <= DB_REQUEST_TRIES_MAX);
    if (strcmp(err->sqlstate, "26000") == 0 && request->stmt == conn->unprepared) {
        *err = conn->prepare_err;
    } else if (err->outcome == DB_RETRY || strcmp(err->sqlstate, "26000") == 0) {
        if (err->outcome != DB_RETRY) /* it was deallocated in the session */
            db_prepared_remove(&conn->prepared, request->stmt);
        if (request->tries < DB_REQUEST_TRIES_MAX) {
            conn->hooks->again(conn->owner, request);
            return;
        }
    }
    answer(conn, request, NULL, err);
}

static void prepare_failed(struct db_async_conn *conn, const struct db_stmt *stmt, const struct db_error *err)
{
    log_error("statement_not_prepared", LOG_TEXT("statement", stmt->name), LOG_TEXT("why", err->text));
    db_prepared_remove(&conn->prepared, stmt);
    ASSERT(!db_prepared_has(&conn->prepared, stmt));
    conn->unprepared = stmt;
    conn->prepare_err = *err;
}

static void query_done(struct db_async_conn *conn, struct db_request *request, PGresult *res)
{
    if (conn->commits) {
        ASSERT(!conn->held);
        conn->held = request;
        conn->held_rows = res;
    } else {
        answer(conn, request, res, NULL);
        PQclear(res);
    }
}

static void sync_done(struct db_async_conn *conn)
{
    (void)pop(conn);
    if (!conn->held)
        return;
    ASSERT(conn->commits && conn->held_rows);
    struct db_request *request = conn->held;
    PGresult *rows = conn->held_rows;
    conn->held = NULL;
    conn->held_rows = NULL;
    answer(conn, request, rows, NULL);
    PQclear(rows);
}

/* A failure: of the statement at the head or, if that is a Sync, of its commit. */
static void head_failed(struct db_async_conn *conn, struct db_error *err)
{
    const struct entry *head = &conn->entries[conn->head];
    ASSERT(conn->n > 0 && err->outcome != DB_OK);
    if (head->what == ENTRY_SYNC) {
        if (conn->held) {
            struct db_request *request = conn->held;
            conn->held = NULL;
            PQclear(conn->held_rows);
            conn->held_rows = NULL;
            failed(conn, request, err);
        }
        return; /* the result of the Sync itself is still to come */
    }
    struct entry entry = pop(conn);
    if (entry.what == ENTRY_PREPARE)
        prepare_failed(conn, entry.stmt, err);
    else
        failed(conn, entry.request, err);
}

/* One result of the pipeline; false: the connection is lost. Takes res. */
static bool take(struct db_async_conn *conn, PGresult *res)
{
    struct db_error err;
    struct entry entry;
    switch (PQresultStatus(res)) {
    case PGRES_PIPELINE_SYNC:
        PQclear(res);
        ASSERT(conn->entries[conn->head].what == ENTRY_SYNC);
        sync_done(conn);
        return true;
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
        entry = pop(conn);
        if (entry.what == ENTRY_QUERY) {
            query_done(conn, entry.request, res);
        } else {
            ASSERT(entry.what == ENTRY_PREPARE);
            PQclear(res);
        }
        return true;
    case PGRES_PIPELINE_ABORTED:
        PQclear(res);
        entry = pop(conn);
        ASSERT(entry.what == ENTRY_QUERY);
        entry.request->alone = true;
        conn->hooks->again(conn->owner, entry.request);
        return true;
    default:
        db_error_from(&err, conn->pg, res, DB_UNKNOWN);
        PQclear(res);
        /* The server ends the connection (57P01..57P03): the error is not that of a pending statement. */
        if (err.sqlstate[0] == '\0' || strncmp(err.sqlstate, "57P0", 4) == 0) {
            lost(conn, &err);
            return false;
        }
        head_failed(conn, &err);
        return true;
    }
}

static void read_answers(struct db_async_conn *conn)
{
    int ended = 0; /* each result is followed by a NULL, but not each Sync */
    bool more = PQconsumeInput(conn->pg);
    while (conn->n > 0 && ended < 2 && !PQisBusy(conn->pg)) {
        PGresult *res = PQgetResult(conn->pg);
        if (!res) {
            ended++;
            continue;
        }
        ended = 0;
        if (!take(conn, res))
            return;
    }
    if (!more || PQstatus(conn->pg) == CONNECTION_BAD)
        lost_by_libpq(conn, "the connection to PostgreSQL is lost: ");
    else if (conn->n == 0)
        ev_timer_stop(conn->loop, &conn->timer);
}

static void on_io(struct ev_loop *loop, ev_io *watcher, int events)
{
    struct db_async_conn *conn = watcher->data;
    (void)loop;
    ASSERT(conn->pg);
    if (conn->state == DB_ASYNC_CONN_CONNECTING) {
        go_on_connecting(conn);
        return;
    }
    conn->silent_parts = 0;
    if (events & EV_WRITE)
        watch(conn, PQflush(conn->pg) > 0 ? EV_READ | EV_WRITE : EV_READ);
    if (events & EV_READ)
        read_answers(conn);
}

void db_async_conn_drain(struct db_async_conn *conn, int64_t until_ms)
{
    while (conn->state == DB_ASYNC_CONN_UP && conn->n > 0) {
        int64_t left_ms = until_ms - clock_mono_ms();
        int unsent = PQflush(conn->pg);
        struct pollfd fd = {.fd = PQsocket(conn->pg), .events = unsent > 0 ? POLLIN | POLLOUT : POLLIN};
        if (left_ms <= 0 || unsent < 0)
            return;
        int ready = poll(&fd, 1, (int)left_ms);
        if (ready == 0 || (ready < 0 && errno != EINTR))
            return;
        if (ready > 0)
            read_answers(conn);
    }
}
