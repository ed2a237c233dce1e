/* Reads from a standby; see standby.h. */
#include "server/http/standby.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/http/request.h"
#include "server/operations/metrics.h"

/* Bytes of a position in the primary's log, as in "16/B374D848". */
#define POSITION_MAX 24

struct batch {
    struct srv_http_request *requests[STANDBY_REQUESTS_MAX];
    size_t n;
};

struct srv_standby {
    struct srv_http_loop *loop;
    const struct srv_standby_hooks *hooks;
    struct db_pipe *pipe;
    ev_timer again;
    struct batch batches[2];
    struct batch *now;           /* the batch in progress: it queries the primary, then the standby */
    struct batch *next;          /* requests that arrived after the query to the primary */
    bool busy;                   /* `now` is in progress */
    bool told_away;              /* logged */
    char position[POSITION_MAX]; /* the primary's log position for `now` */
    int64_t until_ms, rests_until_ms;
};

static void begin(struct srv_standby *standby);

/* ---- Ending a batch ---- */
static void swap(struct srv_standby *standby)
{
    struct batch *done = standby->now;
    ASSERT(done->n == 0);
    standby->now = standby->next;
    standby->next = done;
    standby->busy = false;
    if (standby->now->n > 0)
        begin(standby);
}

static void leave_to_primary(const struct srv_standby *standby, struct batch *batch)
{
    size_t n = batch->n;
    batch->n = 0; /* read_primary never adds requests to the batch again */
    srv_metric_add(METRIC_STANDBY_MISSED, (int64_t)n);
    for (size_t i = 0; i < n; i++)
        standby->hooks->read_primary(batch->requests[i]);
}

static void rest(struct srv_standby *standby, const char *why)
{
    if (!standby->told_away)
        log_warn("standby_not_read", LOG_TEXT("why", why));
    standby->told_away = true;
    standby->rests_until_ms = clock_mono_ms() + STANDBY_REST_MS;
    srv_metric_set(METRIC_STANDBY_UP, 0);
    leave_to_primary(standby, standby->now);
    swap(standby);
}

/* ---- Steps ---- */
static void on_rows(void *arg, const struct db_reply *reply)
{
    struct srv_http_request *request = arg;
    const struct srv_standby_hooks *hooks = request->loop->standby->hooks;
    if (reply->outcome == DB_OK) {
        srv_metric_add(METRIC_STANDBY_READS, 1);
        hooks->rows(request, reply);
        return;
    }
    srv_metric_add(METRIC_STANDBY_MISSED, 1); /* unreachable, or canceled by a replay conflict */
    hooks->read_primary(request);
}

static void send_reads(struct srv_standby *standby)
{
    struct batch *batch = standby->now;
    size_t n = batch->n;
    if (standby->told_away)
        log_info("standby_read_again");
    standby->told_away = false;
    standby->rests_until_ms = 0;
    srv_metric_set(METRIC_STANDBY_UP, 1);
    batch->n = 0;
    for (size_t i = 0; i < n; i++) {
        struct srv_http_request *request = batch->requests[i];
        if (!db_pipe_read(standby->pipe, request->api.stmt, &request->api.args, on_rows, request))
            standby->hooks->read_primary(request);
    }
    swap(standby);
}

static void ask_standby(struct srv_standby *standby);

static void on_replayed(void *arg, const struct db_reply *reply)
{
    struct srv_standby *standby = arg;
    if (reply->outcome != DB_OK) {
        rest(standby, reply->err->text);
        return;
    }
    if (!db_bool(reply->rows, 0, 0)) {
        rest(standby, "it is none");
        return;
    }
    int64_t behind = db_i64(reply->rows, 0, 1);
    srv_metric_set(METRIC_STANDBY_BEHIND, behind > 0 ? behind : 0);
    if (behind <= 0) {
        send_reads(standby);
    } else if (clock_mono_ms() >= standby->until_ms) {
        rest(standby, "it is behind");
    } else {
        ev_timer_set(&standby->again, (double)STANDBY_EVERY_MS / 1000, 0.);
        ev_timer_start(standby->loop->ev, &standby->again);
    }
}

static void ask_standby(struct srv_standby *standby)
{
    static const struct db_stmt stmt = {
        "standby_behind",
        "SELECT pg_is_in_recovery(), ($1::text::pg_lsn - coalesce(pg_last_wal_replay_lsn(), '0/0'))::bigint",
        1};
    char memory[64];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, standby->position);
    if (!db_pipe_read(standby->pipe, &stmt, &args, on_replayed, standby))
        rest(standby, db_pipe_last_error(standby->pipe));
}

static void on_again(struct ev_loop *ev, ev_timer *timer, int events)
{
    (void)ev;
    (void)events;
    ask_standby(timer->data);
}

static void on_position(void *arg, const struct db_reply *reply)
{
    struct srv_standby *standby = arg;
    if (reply->outcome != DB_OK) { /* the requests get the primary's error */
        leave_to_primary(standby, standby->now);
        swap(standby);
        return;
    }
    (void)snprintf(standby->position, sizeof(standby->position), "%s", db_text(reply->rows, 0, 0));
    standby->until_ms = clock_mono_ms() + STANDBY_WAIT_MS;
    ask_standby(standby);
}

/* The flushed position covers everything that any client has received. */
static void begin(struct srv_standby *standby)
{
    static const struct db_stmt stmt = {"primary_position", "SELECT pg_current_wal_flush_lsn()::text", 0};
    ASSERT(!standby->busy);
    standby->busy = true;
    if (standby->loop->pipe && db_pipe_read(standby->loop->pipe, &stmt, NULL, on_position, standby))
        return;
    leave_to_primary(standby, standby->now);
    swap(standby);
}

bool srv_standby_read(struct srv_standby *standby, struct srv_http_request *request)
{
    struct batch *batch = standby->busy ? standby->next : standby->now;
    ASSERT(thread_is(THREAD_REST) && request->state == HTTP_WAITING && !request->api.writes);
    if (clock_mono_ms() < standby->rests_until_ms || batch->n == STANDBY_REQUESTS_MAX) {
        srv_metric_add(METRIC_STANDBY_MISSED, 1);
        return false;
    }
    batch->requests[batch->n++] = request;
    if (!standby->busy)
        begin(standby);
    return true;
}

bool srv_standby_idle(const struct srv_standby *standby)
{
    return !standby->busy && db_pipe_idle(standby->pipe);
}

void srv_standby_second(struct srv_standby *standby)
{
    if (!standby->busy)
        begin(standby);
}

/* ---- Creation and release ---- */
struct srv_standby *srv_standby_new(struct srv_http_loop *loop, const char *conninfo,
                                    const struct srv_standby_hooks *hooks)
{
    struct srv_standby *standby = calloc(1, sizeof(*standby));
    const struct db_pipe_options options = {.conninfo = conninfo, .name = "rummyd standby", .write_conns = 1};
    if (!standby)
        return NULL;
    standby->loop = loop;
    standby->hooks = hooks;
    standby->now = &standby->batches[0];
    standby->next = &standby->batches[1];
    ev_timer_init(&standby->again, on_again, 0., 0.);
    standby->again.data = standby;
    standby->pipe = db_pipe_new(loop->ev, &options);
    if (standby->pipe)
        return standby;
    free(standby);
    return NULL;
}

void srv_standby_free(struct srv_standby *standby)
{
    if (!standby)
        return;
    ASSERT(!standby->loop->pipe); /* freeing the primary's pipe has canceled any query for a position */
    ev_timer_stop(standby->loop->ev, &standby->again);
    db_pipe_free(standby->pipe);
    leave_to_primary(standby, standby->now);
    leave_to_primary(standby, standby->next);
    free(standby);
}
