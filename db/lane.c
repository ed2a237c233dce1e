/* One asynchronous connection of a pipe, a state machine on libev. Used by db/pipe.c, on its loop's thread.
 */
#include "db/lane.h"

#include "base/bug.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

/* Silence is counted in parts, each of which this process has to live through: one that was stopped for a
 * minute finds the answers waiting, and must read them before it calls the connection lost. */
enum { SILENCE_PARTS = 10 };

static void on_io(struct ev_loop *loop, ev_io *watcher, int events);
static void on_timer(struct ev_loop *loop, ev_timer *watcher, int events);

void db_lane_init(struct db_lane *lane, struct ev_loop *loop, const struct db_lane_hooks *hooks, void *owner,
                  const struct db_pipe_options *options, bool commits, int depth_max)
{
    ASSERT(depth_max >= 1 && depth_max <= DB_LANE_DEPTH_MAX);
    *lane = (struct db_lane){
        .loop = loop,
        .hooks = hooks,
        .owner = owner,
        .conninfo = options->conninfo,
        .commits = commits,
        .depth_max = depth_max,
        .answer_ms_max = options->answer_ms_max,
        .retry_ms_min = options->retry_ms_min,
        .retry_ms_max = options->retry_ms_max,
        .pause_ms = options->retry_ms_min,
    };
    ev_init(&lane->io, on_io);
    ev_init(&lane->timer, on_timer);
    lane->io.data = lane;
    lane->timer.data = lane;
}

/* ---- The ring of what was sent ---------------------------------------------------------------- */

static void push(struct db_lane *lane, enum db_lane_entry what, const struct db_stmt *stmt,
                 struct db_request *request)
{
    ASSERT(lane->n < DB_LANE_ENTRIES_MAX);
    struct entry *entry = &lane->entries[(lane->head + lane->n) % DB_LANE_ENTRIES_MAX];
    entry->what = what;
    entry->stmt = stmt;
    entry->request = request;
    lane->n++;
    lane->queries_n += what == ENTRY_QUERY;
}

static struct entry pop(struct db_lane *lane)
{
    ASSERT(lane->n > 0);
    struct entry entry = lane->entries[lane->head];
    lane->head = (lane->head + 1) % DB_LANE_ENTRIES_MAX;
    lane->n--;
    lane->queries_n -= entry.what == ENTRY_QUERY;
    return entry;
}

static void answer(struct db_lane *lane, struct db_request *request, const PGresult *rows,
                   const struct db_error *err)
{
    struct db_reply reply = {.outcome = err ? err->outcome : DB_OK, .rows = err ? NULL : rows, .err = err};
    lane->hooks->done(lane->owner, request, &reply);
}

/* ---- Connecting and losing ---------------------------------------------------------------------- */

static void watch(struct db_lane *lane, int events)
{
    int fd = PQsocket(lane->pg);
    if (fd >= 0 && ev_is_active(&lane->io) && lane->io.fd == fd &&
        (lane->io.events & (EV_READ | EV_WRITE)) == events)
        return;
    ev_io_stop(lane->loop, &lane->io);
    if (fd < 0)
        return;
    ev_io_set(&lane->io, fd, events);
    ev_io_start(lane->loop, &lane->io);
}

static void set_timer(struct db_lane *lane, int ms)
{
    ev_timer_stop(lane->loop, &lane->timer);
    ev_timer_set(&lane->timer, ms / 1000.0, 0.);
    ev_timer_start(lane->loop, &lane->timer);
}

/* Everything on its way gets its answer: it is not known whether writes were done. */
static void give_up_entries(struct db_lane *lane, const struct db_error *why)
{
    struct db_error err = *why;
    err.outcome = lane->commits ? DB_UNKNOWN : DB_DOWN;
    if (lane->held) {
        struct db_request *held = lane->held;
        lane->held = NULL;
        PQclear(lane->held_rows);
        lane->held_rows = NULL;
        answer(lane, held, NULL, &err);
    }
    while (lane->n > 0) {
        struct entry entry = pop(lane);
        if (entry.what == ENTRY_QUERY)
            answer(lane, entry.request, NULL, &err);
    }
}

static void disconnect(struct db_lane *lane)
{
    ev_io_stop(lane->loop, &lane->io);
    ev_timer_stop(lane->loop, &lane->timer);
    PQfinish(lane->pg);
    lane->pg = NULL;
    lane->prepared = (struct db_prepared){0};
    lane->unprepared = NULL;
    lane->segment_open = false;
}

/* The connection is of no use any more; a new one comes after a pause. */
static void lost(struct db_lane *lane, const struct db_error *why)
{
    bool was_up = lane->state == DB_LANE_UP, first = !lane->tried;
    lane->last_err = *why;
    lane->tried = true;
    disconnect(lane);
    lane->state = DB_LANE_WAITING;
    set_timer(lane, lane->pause_ms);
    lane->pause_ms = lane->pause_ms * 2 < lane->retry_ms_max ? lane->pause_ms * 2 : lane->retry_ms_max;
    if (was_up) {
        log_warn("database_connection_lost", LOG_TEXT("why", why->text));
        give_up_entries(lane, &lane->last_err);
    }
    if (was_up || first)
        lane->hooks->changed(lane->owner);
}

static void lost_by_libpq(struct db_lane *lane, const char *prefix)
{
    struct db_error err;
    db_error_from_libpq(&err, lane->pg, DB_DOWN, prefix);
    lost(lane, &err);
}

static void connected(struct db_lane *lane)
{
    if (PQsetnonblocking(lane->pg, 1) != 0 || !PQenterPipelineMode(lane->pg)) {
        lost_by_libpq(lane, "cannot use the connection to PostgreSQL: ");
        return;
    }
    ev_timer_stop(lane->loop, &lane->timer);
    lane->state = DB_LANE_UP;
    lane->tried = true;
    lane->pause_ms = lane->retry_ms_min;
    lane->connects++;
    watch(lane, EV_READ);
    lane->hooks->changed(lane->owner);
}

static void go_on_connecting(struct db_lane *lane)
{
    switch (PQconnectPoll(lane->pg)) {
    case PGRES_POLLING_READING:
        watch(lane, EV_READ);
        return;
    case PGRES_POLLING_WRITING:
        watch(lane, EV_WRITE);
        return;
    case PGRES_POLLING_OK:
        connected(lane);
        return;
    default:
        lost_by_libpq(lane, "cannot connect to PostgreSQL: ");
    }
}

static void begin_connecting(struct db_lane *lane)
{
    const char *keywords[DB_CONNECT_MAX];
    const char *values[DB_CONNECT_MAX];
    char settings[256];
    /* The server ends a statement before we would give it up, so that none is left running behind our back.
     */
    int len = snprintf(settings, sizeof settings, DB_SESSION_SETTINGS " -c statement_timeout=%d",
                       lane->answer_ms_max / 10 * 9);
    ASSERT(len > 0 && (size_t)len < sizeof settings);
    db_connect_params(lane->conninfo, settings, keywords, values);
    lane->pg = PQconnectStartParams(keywords, values, 1);
    lane->state = DB_LANE_CONNECTING;
    if (!lane->pg || PQstatus(lane->pg) == CONNECTION_BAD) {
        lost_by_libpq(lane, "cannot connect to PostgreSQL: ");
        return;
    }
    PQsetNoticeReceiver(lane->pg, db_on_notice, NULL);
    set_timer(lane, DB_CONNECT_MS_MAX);
    watch(lane, EV_WRITE);
}

void db_lane_start(struct db_lane *lane)
{
    lane->state = DB_LANE_WAITING;
    set_timer(lane, 0);
}

void db_lane_stop(struct db_lane *lane)
{
    static const struct db_error stopped = {.outcome = DB_DOWN, .text = "the connection is being closed"};
    disconnect(lane);
    lane->state = DB_LANE_IDLE;
    give_up_entries(lane, &stopped);
}

static void on_timer(struct ev_loop *loop, ev_timer *watcher, int events)
{
    struct db_lane *lane = watcher->data;
    (void)loop;
    (void)events;
    if (lane->state == DB_LANE_WAITING) {
        begin_connecting(lane);
    } else if (lane->state == DB_LANE_CONNECTING) {
        lost(lane, &(struct db_error){.outcome = DB_DOWN, .text = "cannot connect to PostgreSQL: no answer"});
    } else if (lane->n > 0) {
        if (++lane->silent_parts > SILENCE_PARTS)
            lost(lane, &(struct db_error){.outcome = DB_DOWN, .text = "PostgreSQL does not answer"});
        else
            set_timer(lane, lane->answer_ms_max / SILENCE_PARTS);
    }
}

/* ---- Sending --------------------------------------------------------------------------------------- */

bool db_lane_has_room(const struct db_lane *lane)
{
    return lane->state == DB_LANE_UP && lane->queries_n < lane->depth_max && !lane->held &&
           (!lane->commits || lane->n == 0) && lane->n + 6 <= DB_LANE_ENTRIES_MAX &&
           lane->turn_bytes < DB_LANE_TURN_BYTES_MAX;
}

static bool end_segment(struct db_lane *lane)
{
    if (!lane->segment_open)
        return true;
    if (!PQpipelineSync(lane->pg))
        return false;
    push(lane, ENTRY_SYNC, NULL, NULL);
    lane->segment_open = false;
    lane->syncs++;
    return true;
}

/* Preparing stands between two Syncs: no failure of something else can undo it. */
static bool prepare(struct db_lane *lane, const struct db_stmt *stmt)
{
    if (db_prepared_has(&lane->prepared, stmt))
        return true;
    if (!end_segment(lane) || !PQsendPrepare(lane->pg, stmt->name, stmt->sql, 0, NULL))
        return false;
    push(lane, ENTRY_PREPARE, stmt, NULL);
    db_prepared_add(&lane->prepared, stmt);
    lane->segment_open = true;
    return end_segment(lane);
}

static bool send_query(struct db_lane *lane, struct db_request *request)
{
    const char *values[DB_ARGS_MAX];
    int lengths[DB_ARGS_MAX];
    int formats[DB_ARGS_MAX];
    db_args_bind(&request->args, values, lengths, formats);
    return PQsendQueryPrepared(lane->pg, request->stmt->name, request->stmt->n_params, values, lengths,
                               formats, 0);
}

void db_lane_send(struct db_lane *lane, struct db_request *request)
{
    ASSERT(db_lane_has_room(lane));
    bool sent = prepare(lane, request->stmt) && (!request->alone || end_segment(lane));
    push(lane, ENTRY_QUERY, request->stmt, request);
    lane->segment_open = true;
    lane->turn_bytes += request->args.used;
    sent = sent && send_query(lane, request) && (!(request->alone || lane->commits) || end_segment(lane));
    if (!sent)
        lost_by_libpq(lane, "cannot send to PostgreSQL: ");
}

void db_lane_flush(struct db_lane *lane)
{
    lane->turn_bytes = 0;
    if (lane->state != DB_LANE_UP || lane->n == 0)
        return;
    int left = end_segment(lane) ? PQflush(lane->pg) : -1;
    if (left < 0) {
        /* What the server said before it went is worth reading: on_io will find the end. */
        watch(lane, EV_READ);
        return;
    }
    watch(lane, left > 0 ? EV_READ | EV_WRITE : EV_READ);
    if (!ev_is_active(&lane->timer)) {
        lane->silent_parts = 0;
        set_timer(lane, lane->answer_ms_max / SILENCE_PARTS);
    }
}

/* ---- Answers ------------------------------------------------------------------------------------------ */

/* Ends the request or has it sent again. */
static void failed(struct db_lane *lane, struct db_request *request, struct db_error *err)
{
    request->tries++;
    if (strcmp(err->sqlstate, "26000") == 0 && request->stmt == lane->unprepared) {
        *err = lane->prepare_err;
    } else if (err->outcome == DB_RETRY || strcmp(err->sqlstate, "26000") == 0) {
        if (err->outcome != DB_RETRY) /* somebody deallocated it */
            db_prepared_remove(&lane->prepared, request->stmt);
        if (request->tries < DB_REQUEST_TRIES_MAX) {
            lane->hooks->again(lane->owner, request);
            return;
        }
    }
    answer(lane, request, NULL, err);
}

static void prepare_failed(struct db_lane *lane, const struct db_stmt *stmt, const struct db_error *err)
{
    log_error("statement_not_prepared", LOG_TEXT("statement", stmt->name), LOG_TEXT("why", err->text));
    db_prepared_remove(&lane->prepared, stmt);
    lane->unprepared = stmt;
    lane->prepare_err = *err;
}

static void query_done(struct db_lane *lane, struct db_request *request, PGresult *res)
{
    if (lane->commits) {
        ASSERT(!lane->held);
        lane->held = request;
        lane->held_rows = res;
    } else {
        answer(lane, request, res, NULL);
        PQclear(res);
    }
}

static void sync_done(struct db_lane *lane)
{
    (void)pop(lane);
    if (!lane->held)
        return;
    struct db_request *request = lane->held;
    PGresult *rows = lane->held_rows;
    lane->held = NULL;
    lane->held_rows = NULL;
    answer(lane, request, rows, NULL);
    PQclear(rows);
}

/* A failure: of the statement at the head, or, when that is a Sync, of the commit it asked for. */
static void head_failed(struct db_lane *lane, struct db_error *err)
{
    const struct entry *head = &lane->entries[lane->head];
    if (head->what == ENTRY_SYNC) {
        if (lane->held) {
            struct db_request *request = lane->held;
            lane->held = NULL;
            PQclear(lane->held_rows);
            lane->held_rows = NULL;
            failed(lane, request, err);
        }
        return; /* the Sync itself is still to come */
    }
    struct entry entry = pop(lane);
    if (entry.what == ENTRY_PREPARE)
        prepare_failed(lane, entry.stmt, err);
    else
        failed(lane, entry.request, err);
}

/* One result of the pipeline; false: the connection is lost. Takes res. */
static bool take(struct db_lane *lane, PGresult *res)
{
    struct db_error err;
    struct entry entry;
    switch (PQresultStatus(res)) {
    case PGRES_PIPELINE_SYNC:
        PQclear(res);
        ASSERT(lane->entries[lane->head].what == ENTRY_SYNC);
        sync_done(lane);
        return true;
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
        entry = pop(lane);
        if (entry.what == ENTRY_QUERY) {
            query_done(lane, entry.request, res);
        } else {
            ASSERT(entry.what == ENTRY_PREPARE);
            PQclear(res);
        }
        return true;
    case PGRES_PIPELINE_ABORTED:
        PQclear(res);
        entry = pop(lane);
        ASSERT(entry.what == ENTRY_QUERY);
        entry.request->alone = true;
        lane->hooks->again(lane->owner, entry.request);
        return true;
    default:
        db_error_from(&err, lane->pg, res, DB_UNKNOWN);
        PQclear(res);
        /* Told to go (57P01..57P03): nothing said about what was on its way. */
        if (err.sqlstate[0] == '\0' || strncmp(err.sqlstate, "57P0", 4) == 0) {
            lost(lane, &err);
            return false;
        }
        head_failed(lane, &err);
        return true;
    }
}

static void read_answers(struct db_lane *lane)
{
    int ended = 0; /* each result is followed by a NULL, each Sync by none */
    bool more = PQconsumeInput(lane->pg);
    while (lane->n > 0 && ended < 2 && !PQisBusy(lane->pg)) {
        PGresult *res = PQgetResult(lane->pg);
        if (!res) {
            ended++;
            continue;
        }
        ended = 0;
        if (!take(lane, res))
            return;
    }
    if (!more || PQstatus(lane->pg) == CONNECTION_BAD)
        lost_by_libpq(lane, "the connection to PostgreSQL is lost: ");
    else if (lane->n == 0)
        ev_timer_stop(lane->loop, &lane->timer);
}

static void on_io(struct ev_loop *loop, ev_io *watcher, int events)
{
    struct db_lane *lane = watcher->data;
    (void)loop;
    if (lane->state == DB_LANE_CONNECTING) {
        go_on_connecting(lane);
        return;
    }
    lane->silent_parts = 0;
    if (events & EV_WRITE)
        watch(lane, PQflush(lane->pg) > 0 ? EV_READ | EV_WRITE : EV_READ);
    if (events & EV_READ)
        read_answers(lane);
}
