/* One loop of the HTTP front end: libev drives the daemon's epoll descriptor, the database pipe, and the
 * timers; see loop.h. All functions run on the loop's thread, except start, stop, and join. */
#include "server/http/loop.h"

#include "api/account/me.h"
#include "api/play/seats.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/recv_hook.h"
#include "base/thread.h"
#include "server/edge/answer.h"
#include "server/http/connections.h"
#include "server/http/request.h"
#include "server/http/rest.h"
#include "server/http/standby.h"
#include "server/http/upkeep.h"
#include "server/operations/db_metrics.h"
#include "server/operations/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Maximum sleep of the loop if the daemon sets no timeout. */
#define TICK_S 1.0

#define STOP_TICK_S 0.02 /* interval at which a stopping loop checks for pending requests */

/* Limit of concurrent database reads. All reads of one iteration of a saturated loop take PostgreSQL half a
 * millisecond, during which the journal's backend would have to wait for the processor. */
enum { READ_DEPTH = 8 };

static void run_daemon(struct srv_http_loop *loop)
{
    (void)MHD_run(loop->daemon);
    MHD_UNSIGNED_LONG_LONG ms;
    ev_tstamp wait = TICK_S;
    if (MHD_get_timeout(loop->daemon, &ms) == MHD_YES && (double)ms / 1000.0 < wait)
        wait = (double)ms / 1000.0;
    loop->timeout.repeat = wait > 0 ? wait : 1e-6; /* 0 would disable the timer */
    ev_timer_again(loop->ev, &loop->timeout);
}

static void on_readable(struct ev_loop *ev, ev_io *io, int events)
{
    (void)ev;
    (void)events;
    run_daemon(io->data);
}

static void on_timeout(struct ev_loop *ev, ev_timer *timer, int events)
{
    (void)ev;
    (void)events;
    run_daemon(timer->data);
}

/* Cuts connections that send a request too slowly or read its response too slowly. */
static void cut_slow(struct srv_http_loop *loop)
{
    int64_t now = clock_mono_ms();
    for (struct srv_http_conn *conn = loop->conns; conn; conn = conn->next) {
        bool half = !conn->waiting && !conn->answering && srv_http_guard_awaits(&conn->guard),
             stopped = half && now - conn->guard.heard_ms >= HTTP_HALF_MS_MAX;
        if (conn->waiting || (!stopped && now - conn->since_ms < HTTP_REQUEST_MS_MAX))
            continue;
        conn->since_ms = conn->guard.heard_ms = now;
        srv_metric_add(METRIC_HTTP_TIMED_OUT, 1);
        if (half)
            srv_answer_code(conn->fd, API_REQUEST_TIMEOUT);
        (void)shutdown(conn->fd, SHUT_RDWR); /* the daemon sees the end of file and closes it */
    }
}

/* Stops accepting connections. Running requests and statements have HTTP_STOP_MS_MAX to finish. */
static void begin_stop(struct srv_http_loop *loop)
{
    ASSERT(thread_is(THREAD_REST) && !loop->stopping);
    loop->stopping = true;
    loop->stop_at_ms = clock_mono_ms() + HTTP_STOP_MS_MAX;
    ev_timer_stop(loop->ev, &loop->purge);
    ev_timer_stop(loop->ev, &loop->follow);
    ev_timer_stop(loop->ev, &loop->revoked);
    ev_timer_stop(loop->ev, &loop->export_rest);
    loop->sweep.repeat = STOP_TICK_S;
    ev_timer_again(loop->ev, &loop->sweep);
    MHD_socket fd = MHD_quiesce_daemon(loop->daemon);
    if (fd != MHD_INVALID_SOCKET)
        (void)close(fd);
}

static void leave_database(struct srv_http_loop *loop)
{
    struct db_pipe *pipe = loop->pipe;
    loop->pipe = NULL;
    db_pipe_free(pipe); /* first, because the standby may be waiting for its result */
    srv_standby_free(loop->standby);
    loop->standby = NULL;
}

static void try_end(struct srv_http_loop *loop)
{
    ASSERT(loop->stopping);
    bool busy = loop->requests_n > 0 || (loop->pipe && !db_pipe_idle(loop->pipe)) ||
                (loop->standby && !srv_standby_idle(loop->standby));
    if (busy && clock_mono_ms() < loop->stop_at_ms)
        return;
    if (loop->waiting &&
        loop->pipe) { /* answers all requests that wait for the database; workers finish quickly */
        leave_database(loop);
        return;
    }
    if (!loop->waiting)
        ev_break(loop->ev, EVBREAK_ALL);
}

static void on_wake(struct ev_loop *ev, ev_async *async, int events)
{
    (void)ev;
    (void)events;
    struct srv_http_loop *loop = async->data;
    void *items[32];
    size_t n;
    while ((n = ring_take(&loop->returned, items, ARRAY_LEN(items))) > 0)
        for (size_t i = 0; i < n; i++)
            srv_rest_returned(items[i]);
    srv_http_read_revoked(loop);
    if (atomic_load(&loop->stop) && !loop->stopping)
        begin_stop(loop);
    if (loop->stopping)
        try_end(loop);
}

/* Adds the changes of the pipe's counters to the metrics. */
static void count_database(struct srv_http_loop *loop)
{
    if (!loop->pipe)
        return;
    srv_db_metrics(SRV_DB_REST, loop->pipe, &loop->counted);
    bool up = db_pipe_up(loop->pipe);
    if (up != loop->told_up)
        srv_metric_add(METRIC_REST_DB_UP, up ? 1 : -1);
    loop->told_up = up;
}

static void on_sweep(struct ev_loop *ev, ev_timer *timer, int events)
{
    (void)ev;
    (void)events;
    struct srv_http_loop *loop = timer->data;
    cut_slow(loop);
    count_database(loop);
    if (loop->standby && loop->first && !loop->stopping)
        srv_standby_second(loop->standby);
    srv_access_sweep(loop);
    if (loop->stopping)
        try_end(loop);
}

static void *run(void *arg)
{
    struct srv_http_loop *loop = arg;
    thread_begin(THREAD_REST, THREAD_PATIENT);
    ev_run(loop->ev, 0);
    /* The daemon must not be stopped with a connection suspended. */
    ASSERT(!loop->waiting);
    for (int i = 0; i < 3; i++)
        (void)MHD_run(loop->daemon);
    MHD_stop_daemon(loop->daemon);
    leave_database(loop);
    recv_hook_free();
    return NULL;
}

static void on_daemon_log(void *arg, const char *fmt, va_list args)
{
    (void)arg;
    char text[256];
    (void)vsnprintf(text, sizeof(text), fmt, args);
    text[strcspn(text, "\n")] = '\0';
    log_debug("http_daemon", LOG_TEXT("text", text));
}

static struct MHD_Daemon *start_daemon(struct srv_http_loop *loop)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_TURBO, 0, srv_http_loop_admits,
        loop, srv_http_on_request, loop, MHD_OPTION_EXTERNAL_LOGGER, on_daemon_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, loop->listen_fd, MHD_OPTION_CONNECTION_LIMIT, loop->http->connections_max,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HTTP_IDLE_S_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HTTP_CONNECTION_MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK,
        srv_http_on_uri, loop, MHD_OPTION_NOTIFY_COMPLETED, srv_http_on_completed, loop,
        MHD_OPTION_NOTIFY_CONNECTION, srv_http_on_connection, loop, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

static const struct srv_standby_hooks standby_hooks = {.rows = srv_rest_rows,
                                                       .read_primary = srv_rest_read_primary};

static bool make_parts(struct srv_http_loop *loop)
{
    struct db_pipe_options options = {.conninfo = loop->http->db,
                                      .name = "rummyd rest",
                                      .read_depth = READ_DEPTH,
                                      .batched_reads = &api_me_batch_stmt,
                                      .batched_writes = &api_seats_batch_stmt};
    loop->ev = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV);
    loop->tokens = api_token_cache_new();
    loop->keys = api_key_cache_new();
    loop->scratch = malloc(API_REPLY_MAX);
    if (!loop->ev || !loop->tokens || !loop->keys || !loop->scratch ||
        ring_init(&loop->returned, loop->http->connections_max) != 0)
        return false;
    if (loop->http->limits && !(loop->addresses = srv_addr_counter_new(loop->http->connections_max)))
        return false;
    loop->pipe = db_pipe_new(loop->ev, &options);
    if (loop->pipe && loop->http->db_read[0] &&
        !(loop->standby = srv_standby_new(loop, loop->http->db_read, &standby_hooks)))
        return false;
    loop->daemon = loop->pipe ? start_daemon(loop) : NULL;
    if (!loop->daemon)
        return false;
    loop->listen_fd = -1; /* the daemon owns it now */
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    ASSERT(info && info->epoll_fd >= 0);
    ev_io_init(&loop->readable, on_readable, info->epoll_fd, EV_READ);
    ev_timer_init(&loop->timeout, on_timeout, 0., TICK_S);
    ev_timer_init(&loop->sweep, on_sweep, 1., 1.);
    ev_async_init(&loop->wake, on_wake);
    ev_timer_init(&loop->purge, srv_http_upkeep, HTTP_UPKEEP_FIRST_S, HTTP_UPKEEP_EVERY_S);
    ev_timer_init(&loop->follow, srv_http_follow, HTTP_UPKEEP_FIRST_S, HTTP_FOLLOW_EVERY_S);
    ev_timer_init(&loop->export_rest, srv_http_export_rested, 0., HTTP_EXPORT_REST_S_MAX);
    ev_timer_init(&loop->revoked, srv_http_on_revoked, HTTP_REVOKED_EVERY_S, HTTP_REVOKED_EVERY_S);
    loop->readable.data = loop->timeout.data = loop->sweep.data = loop->wake.data = loop;
    loop->purge.data = loop->follow.data = loop->revoked.data = loop->export_rest.data = loop;
    ev_io_start(loop->ev, &loop->readable);
    ev_timer_again(loop->ev, &loop->timeout);
    ev_timer_start(loop->ev, &loop->sweep);
    ev_async_start(loop->ev, &loop->wake);
    if (loop->first) {
        ev_timer_start(loop->ev, &loop->purge);
        ev_timer_start(loop->ev, &loop->follow);
        ev_timer_start(loop->ev, &loop->revoked);
    }
    return true;
}

void srv_http_loop_free(struct srv_http_loop *loop)
{
    if (loop->listen_fd >= 0)
        (void)close(loop->listen_fd);
    if (!loop->started) {
        if (loop->daemon)
            MHD_stop_daemon(loop->daemon);
        leave_database(loop);
    }
    if (loop->ev)
        ev_loop_destroy(loop->ev);
    ring_free(&loop->returned);
    api_token_cache_free(loop->tokens);
    api_key_cache_free(loop->keys);
    free(loop->scratch);
    srv_addr_counter_free(loop->addresses);
    free(loop);
}

struct srv_http_loop *srv_http_loop_start(struct srv_http *http, int listen_fd, char error[HTTP_ERROR_MAX])
{
    struct srv_http_loop *loop = calloc(1, sizeof(*loop));
    if (!loop) {
        (void)close(listen_fd);
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        return NULL;
    }
    loop->http = http;
    loop->listen_fd = listen_fd;
    loop->first = !http->loops[0];
    if (!make_parts(loop)) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: cannot start the HTTP daemon");
        srv_http_loop_free(loop);
        return NULL;
    }
    if (pthread_create(&loop->thread, NULL, run, loop) != 0) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: cannot start a thread");
        srv_http_loop_free(loop);
        return NULL;
    }
    loop->started = true;
    return loop;
}

void srv_http_check_revoked(struct srv_http *http)
{
    struct srv_http_loop *first = http->loops[0];
    ASSERT(first && first->first);
    atomic_store(&first->revoked_asked, true);
    ev_async_send(first->ev, &first->wake);
}

void srv_http_loop_stop(struct srv_http_loop *loop)
{
    atomic_store(&loop->stop, true);
    ev_async_send(loop->ev, &loop->wake);
}

void srv_http_loop_join(struct srv_http_loop *loop)
{
    (void)pthread_join(loop->thread, NULL);
}
