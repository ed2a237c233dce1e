/* Queues of statements over asynchronous connections. Used by the REST loops and the hub, each with a
 * separate pipe on its own loop's thread. */
#include "db/pipe.h"

#include "base/bug.h"
#include "base/clock.h"
#include "db/async_conn.h"
#include "db/queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRITE_CONNS = 4,
    READ_QUEUE = 4096,
    WRITE_QUEUE = 1024,
    ANSWER_MS = 10000,
    RETRY_MS_MIN = 50,
    RETRY_MS_MAX = 2000
};

struct db_pipe {
    struct ev_loop *loop;
    struct db_pipe_options options;
    char *conninfo;
    ev_prepare turn; /* just before the loop waits: sends the statements gathered so far */
    bool up, freeing;
    struct db_queue reads, writes;
    struct db_pipe_stats stats;
    struct db_async_conn conns[]; /* those for reads first, then those for writes */
};

/* ---- Answers ---- */

static void finish_one(struct db_pipe *pipe, struct db_queue *queue, struct db_request *request,
                       const struct db_reply *reply)
{
    ASSERT(!request->members);
    queue->open--;
    ASSERT(queue->open >= 0 && (reply->outcome == DB_OK) == (reply->rows != NULL));
    if (reply->outcome != DB_OK)
        pipe->stats.failures++;
    request->fn(request->arg, reply);
    free(request);
}

/* Finishes the request, or each of its members. */
static void finish(struct db_pipe *pipe, struct db_queue *queue, struct db_request *request,
                   const struct db_reply *reply)
{
    struct db_request *members[DB_BATCH_MAX] = {request};
    size_t n = request->members ? db_batch_stmt_end(request, members) : 1;
    for (size_t i = 0; i < n; i++)
        finish_one(pipe, queue, members[i], reply);
}

/* Fails all statements that have not been sent, because an early error is better than waiting. */
static void refuse_all(struct db_pipe *pipe, struct db_queue *queue)
{
    struct db_error err = {.outcome = DB_DOWN};
    (void)snprintf(err.text, sizeof err.text, "%s", db_pipe_last_error(pipe));
    struct db_reply reply = {.outcome = DB_DOWN, .err = &err};
    struct db_request *request = queue->first;
    queue->first = NULL;
    queue->end = &queue->first;
    while (request) {
        struct db_request *next = request->next;
        finish(pipe, queue, request, &reply);
        request = next;
    }
    ASSERT(!queue->first); /* while the database is down, a callback cannot add statements */
}

/* ---- Sending ---- */

/* Counts the waiting time, for each member; a statement that is sent again was already counted. */
static void count_wait(struct db_pipe_pool *pool, struct db_request *request, int64_t now_ns)
{
    for (struct db_request *one = request->members ? request->members : request; one; one = one->next) {
        if (one->accepted_ns > 0) {
            pool->sent++;
            pool->wait_ns += now_ns - one->accepted_ns;
            one->accepted_ns = 0;
        }
        if (!request->members)
            break;
    }
}

/* Sends the next statement over the connection; false: none can be sent. */
static bool send_next(struct db_queue *queue, struct db_pipe_pool *pool, struct db_async_conn *conn)
{
    struct db_request *request = db_queue_take(queue);
    if (!request)
        return false;
    count_wait(pool, request, clock_mono_ns());
    db_async_conn_send(conn, request);
    return true;
}

static void answer_each(struct db_pipe *pipe, struct db_queue *queue, struct db_request *many,
                        const PGresult *rows)
{
    struct db_error err = {.outcome = DB_UNKNOWN, .text = "it was done, but memory for the answer is short"};
    struct db_request *members[DB_BATCH_MAX];
    size_t n = db_batch_stmt_end(many, members);
    ASSERT((size_t)PQntuples(rows) == n);
    for (size_t i = 0; i < n; i++) {
        DB_AUTO PGresult *row = db_batch_stmt_row(queue->how, rows, (int)i);
        struct db_reply reply = {.outcome = row ? DB_OK : DB_UNKNOWN, .rows = row, .err = row ? NULL : &err};
        finish_one(pipe, queue, members[i], &reply);
    }
}

/* ---- What the connections report -------------------------------------------------------------------------
 */

static bool conn_up(const struct db_async_conn *conn)
{
    return conn->state == DB_ASYNC_CONN_UP;
}

/* Connected, or possibly about to be: statements right after startup wait for the first attempt. */
static bool conn_hopeful(const struct db_async_conn *conn)
{
    return conn_up(conn) || !conn->tried;
}

static bool some_write_conn(const struct db_pipe *pipe, bool is(const struct db_async_conn *conn))
{
    for (int i = 1; i <= pipe->options.write_conns; i++) {
        if (is(&pipe->conns[i]))
            return true;
    }
    return false;
}

static void on_changed(void *owner)
{
    struct db_pipe *pipe = owner;
    bool was_up = pipe->up;
    pipe->up = conn_up(&pipe->conns[0]) && some_write_conn(pipe, conn_up);
    if (!conn_hopeful(&pipe->conns[0]))
        refuse_all(pipe, &pipe->reads);
    if (!some_write_conn(pipe, conn_hopeful))
        refuse_all(pipe, &pipe->writes);
    if (pipe->up != was_up && pipe->options.on_state)
        pipe->options.on_state(pipe->options.on_state_arg, pipe->up);
}

static void done(struct db_pipe *pipe, struct db_queue *queue, struct db_request *request,
                 const struct db_reply *reply)
{
    bool nothing_done = reply->outcome == DB_FAILED || reply->outcome == DB_RETRY;
    db_queue_back(queue, request);
    if (request->members && reply->outcome == DB_OK) {
        answer_each(pipe, queue, request, reply->rows);
    } else if (request->members && nothing_done) {
        pipe->stats.retries++;
        db_queue_again_in_parts(queue, request, strcmp(reply->err->sqlstate, "57014") == 0);
    } else {
        finish(pipe, queue, request, reply);
    }
}

static void again(struct db_pipe *pipe, struct db_queue *queue, struct db_request *request)
{
    pipe->stats.retries++;
    db_queue_back(queue, request);
    db_queue_put_first(queue, request);
}

static void on_read_done(void *owner, struct db_request *request, const struct db_reply *reply)
{
    struct db_pipe *pipe = owner;
    done(pipe, &pipe->reads, request, reply);
}

static void on_write_done(void *owner, struct db_request *request, const struct db_reply *reply)
{
    struct db_pipe *pipe = owner;
    done(pipe, &pipe->writes, request, reply);
}

static void on_read_again(void *owner, struct db_request *request)
{
    struct db_pipe *pipe = owner;
    again(pipe, &pipe->reads, request);
}

static void on_write_again(void *owner, struct db_request *request)
{
    struct db_pipe *pipe = owner;
    again(pipe, &pipe->writes, request);
}

static const struct db_async_conn_hooks read_hooks = {on_changed, on_read_done, on_read_again};
static const struct db_async_conn_hooks write_hooks = {on_changed, on_write_done, on_write_again};

static void on_turn(struct ev_loop *loop, ev_prepare *watcher, int events)
{
    struct db_pipe *pipe = watcher->data;
    (void)loop;
    (void)events;
    while (db_async_conn_has_room(&pipe->conns[0]) &&
           send_next(&pipe->reads, &pipe->stats.of_reads, &pipe->conns[0]))
        continue;
    db_async_conn_flush(&pipe->conns[0]);
    for (int i = 1; i <= pipe->options.write_conns; i++) {
        if (db_async_conn_has_room(&pipe->conns[i]))
            (void)send_next(&pipe->writes, &pipe->stats.of_writes, &pipe->conns[i]);
        db_async_conn_flush(&pipe->conns[i]);
    }
}

/* ---- Interface ----------------------------------------------------------------------------------------- */

static int or_default(int given, int otherwise)
{
    return given > 0 ? given : otherwise;
}

static struct db_pipe_options with_defaults(const struct db_pipe_options *given)
{
    struct db_pipe_options options = *given;
    options.write_conns = or_default(given->write_conns, WRITE_CONNS);
    if (options.write_conns > DB_PIPE_WRITE_CONNS_MAX)
        options.write_conns = DB_PIPE_WRITE_CONNS_MAX;
    options.read_depth = or_default(given->read_depth, DB_ASYNC_CONN_DEPTH_MAX);
    if (options.read_depth > DB_ASYNC_CONN_DEPTH_MAX)
        options.read_depth = DB_ASYNC_CONN_DEPTH_MAX;
    options.read_queue_max = or_default(given->read_queue_max, READ_QUEUE);
    options.write_queue_max = or_default(given->write_queue_max, WRITE_QUEUE);
    options.answer_ms_max = or_default(given->answer_ms_max, ANSWER_MS);
    options.retry_ms_min = or_default(given->retry_ms_min, RETRY_MS_MIN);
    options.retry_ms_max = or_default(given->retry_ms_max, RETRY_MS_MAX);
    ASSERT(options.write_conns >= 1 && options.read_depth >= 1 && options.read_queue_max > 0);
    return options;
}

struct db_pipe *db_pipe_new(struct ev_loop *loop, const struct db_pipe_options *given)
{
    ASSERT(loop && given->conninfo);
    struct db_pipe_options options = with_defaults(given);
    size_t conns_n = (size_t)options.write_conns + 1;
    struct db_pipe *pipe = calloc(1, sizeof *pipe + conns_n * sizeof pipe->conns[0]);
    char *conninfo = strdup(given->conninfo);
    if (!pipe || !conninfo) {
        free(pipe);
        free(conninfo);
        return NULL;
    }
    options.conninfo = pipe->conninfo = conninfo;
    pipe->loop = loop;
    pipe->options = options;
    db_queue_init(&pipe->reads, options.batched_reads, options.read_queue_max);
    db_queue_init(&pipe->writes, options.batched_writes, options.write_queue_max);
    for (size_t i = 0; i < conns_n; i++) {
        bool writes = i > 0;
        db_async_conn_init(&pipe->conns[i], loop, writes ? &write_hooks : &read_hooks, pipe, &options, writes,
                           writes ? 1 : options.read_depth);
        db_async_conn_start(&pipe->conns[i]);
    }
    ev_prepare_init(&pipe->turn, on_turn);
    pipe->turn.data = pipe;
    ev_set_priority(&pipe->turn,
                    EV_MINPRI); /* after other watchers that may still add statements in this iteration */
    ev_prepare_start(loop, &pipe->turn);
    return pipe;
}

void db_pipe_drain(struct db_pipe *pipe, int most_ms)
{
    ASSERT(most_ms > 0);
    int64_t until_ms = clock_mono_ms() + most_ms;
    pipe->freeing = true;
    for (int i = 0; i <= pipe->options.write_conns; i++)
        db_async_conn_drain(&pipe->conns[i], until_ms);
}

void db_pipe_free(struct db_pipe *pipe)
{
    if (!pipe)
        return;
    pipe->freeing = true;
    ev_prepare_stop(pipe->loop, &pipe->turn);
    for (int i = 0; i <= pipe->options.write_conns; i++)
        db_async_conn_stop(&pipe->conns[i]);
    refuse_all(pipe, &pipe->reads);
    refuse_all(pipe, &pipe->writes);
    ASSERT(pipe->reads.open == 0 && pipe->writes.open == 0);
    free(pipe->conninfo);
    free(pipe);
}

static struct db_request *new_request(const struct db_stmt *stmt, const struct db_args *args, db_pipe_fn *fn,
                                      void *arg)
{
    size_t bytes = args ? args->used : 0;
    ASSERT(bytes <= DB_PIPE_ARGS_BYTES_MAX);
    struct db_request *request = calloc(1, sizeof *request + bytes);
    if (!request)
        return NULL;
    request->stmt = stmt;
    request->fn = fn;
    request->arg = arg;
    if (args) {
        request->args = *args;
        memcpy(request->mem, args->mem, bytes);
    }
    request->args.mem = request->mem;
    return request;
}

static bool accept(struct db_pipe *pipe, struct db_queue *queue, bool hopeful, const struct db_stmt *stmt,
                   const struct db_args *args, db_pipe_fn *fn, void *arg)
{
    ASSERT(stmt->n_params <= DB_ARGS_MAX && fn);
    if (pipe->freeing || !hopeful || queue->open >= queue->open_max)
        return false;
    if (args && (!db_args_ok(args) || args->used > DB_PIPE_ARGS_BYTES_MAX))
        return false;
    ASSERT(stmt->n_params == (args ? args->n : 0));
    struct db_request *request = new_request(stmt, args, fn, arg);
    if (!request)
        return false;
    request->accepted_ns = clock_mono_ns();
    queue->open++;
    ASSERT(queue->open <= queue->open_max);
    db_queue_put_last(queue, request);
    return true;
}

bool db_pipe_read(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                  db_pipe_fn *fn, void *arg)
{
    if (!accept(pipe, &pipe->reads, conn_hopeful(&pipe->conns[0]), stmt, args, fn, arg))
        return false;
    pipe->stats.reads++;
    return true;
}

bool db_pipe_write(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                   db_pipe_fn *fn, void *arg)
{
    if (!accept(pipe, &pipe->writes, some_write_conn(pipe, conn_hopeful), stmt, args, fn, arg))
        return false;
    pipe->stats.writes++;
    return true;
}

bool db_pipe_up(const struct db_pipe *pipe)
{
    return pipe->up;
}

bool db_pipe_idle(const struct db_pipe *pipe)
{
    return pipe->reads.open == 0 && pipe->writes.open == 0;
}

void db_pipe_stats(const struct db_pipe *pipe, struct db_pipe_stats *out)
{
    ASSERT(pipe->reads.open >= 0 && pipe->writes.open >= 0);
    *out = pipe->stats;
    out->reads_open = pipe->reads.open;
    out->writes_open = pipe->writes.open;
    out->of_reads.waiting = db_queue_waiting(&pipe->reads);
    out->of_writes.waiting = db_queue_waiting(&pipe->writes);
    for (int i = 0; i <= pipe->options.write_conns; i++) {
        const struct db_async_conn *conn = &pipe->conns[i];
        struct db_pipe_pool *pool = i == 0 ? &out->of_reads : &out->of_writes;
        pool->up += conn_up(conn);
        pool->busy += conn_up(conn) && conn->n > 0;
        out->syncs += conn->syncs;
        out->reconnects += conn->connects > 0 ? conn->connects - 1 : 0;
    }
}

const char *db_pipe_last_error(const struct db_pipe *pipe)
{
    const char *text = pipe->conns[0].last_err.text;
    for (int i = 1; !*text && i <= pipe->options.write_conns; i++)
        text = pipe->conns[i].last_err.text;
    return text;
}
