/* The hub's statements, replacing db/pipe.c: each statement has its own connection, replies arrive in
 * iterations of the hub's loop, and a connection that is silent for long is lost. */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "db/pipe.h"
#include "tests/simulate/client_of_db.h"

enum { RETRY_US = 300 * SIM_MS, SILENT_US_MAX = 10 * SIM_S, QUEUE_MAX = 4096 };

struct db_pipe {
    struct sim_node *node;
    struct session *reads, *writes;
    db_pipe_state_fn *on_state;
    void *on_state_arg;
    bool up, retries;
    int open_n;
};

struct asked {
    struct db_pipe *pipe;
    db_pipe_fn *fn;
    void *arg;
    bool write, done;
    struct answer answer;
};

static void look(void *arg, int64_t number);

static void look_after(struct db_pipe *pipe, int64_t us)
{
    if (pipe->retries)
        return;
    pipe->retries = true;
    sim_loop_turn(sim_now + us, pipe->node, look, pipe, 0);
}

/* Reconnects if necessary, and reports state changes. */
static void look(void *arg, int64_t number)
{
    struct db_pipe *pipe = arg;
    (void)number;
    pipe->retries = false;
    if (!db_session_is_up(pipe->reads))
        pipe->reads = db_session_begin(pipe->node);
    if (!db_session_is_up(pipe->writes))
        pipe->writes = db_session_begin(pipe->node);
    bool up = pipe->reads && pipe->writes;
    if (!up)
        look_after(pipe, RETRY_US);
    if (up == pipe->up)
        return;
    pipe->up = up;
    if (pipe->on_state)
        pipe->on_state(pipe->on_state_arg, up);
}

static void deliver(void *arg, int64_t number)
{
    struct asked *asked = arg, was = *asked;
    (void)number;
    free(asked);
    was.pipe->open_n--;
    if (was.answer.err.outcome == DB_UNKNOWN && !was.write)
        was.answer.err.outcome = DB_DOWN;
    struct db_reply reply = {.outcome = was.answer.err.outcome, .rows = was.answer.rows};
    if (reply.outcome != DB_OK)
        reply.err = &was.answer.err;
    was.fn(was.arg, &reply);
    PQclear(was.answer.rows);
    if (!db_session_is_up(was.pipe->reads) || !db_session_is_up(was.pipe->writes))
        look(was.pipe, 0);
}

static void answered(void *arg, struct answer *answer)
{
    struct asked *asked = arg;
    asked->answer = *answer;
    asked->done = true;
    sim_loop_turn(sim_now, asked->pipe->node, deliver, asked, 0);
}

/* Without a reply, the connection counts as lost. */
static void silent(void *arg, int64_t number)
{
    struct db_pipe *pipe = arg;
    (void)number;
    if (pipe->open_n == 0 || !db_is_cut(pipe->node))
        return;
    db_session_end(pipe->reads);
    db_session_end(pipe->writes);
    look_after(pipe, RETRY_US);
}

static bool ask(struct db_pipe *pipe, struct session *session, const struct db_stmt *stmt,
                const struct db_args *args, db_pipe_fn *fn, void *arg, bool write)
{
    if (!db_session_is_up(session) || pipe->open_n == QUEUE_MAX) {
        look_after(pipe, RETRY_US);
        return false;
    }
    struct asked *asked = malloc(sizeof(*asked));
    ASSERT(asked);
    *asked = (struct asked){.pipe = pipe, .fn = fn, .arg = arg, .write = write};
    pipe->open_n++;
    if (db_is_cut(pipe->node))
        sim_after(SILENT_US_MAX, pipe->node, silent, pipe, 0);
    db_session_send(session, stmt, args, answered, asked);
    return true;
}

bool db_pipe_read(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                  db_pipe_fn *fn, void *arg)
{
    return ask(pipe, pipe->reads, stmt, args, fn, arg, false);
}

bool db_pipe_write(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                   db_pipe_fn *fn, void *arg)
{
    return ask(pipe, pipe->writes, stmt, args, fn, arg, true);
}

struct db_pipe *db_pipe_new(struct ev_loop *loop, const struct db_pipe_options *given)
{
    struct db_pipe *pipe = calloc(1, sizeof(*pipe));
    (void)loop;
    ASSERT(pipe);
    pipe->node = sim_node_now();
    pipe->on_state = given->on_state;
    pipe->on_state_arg = given->on_state_arg;
    look_after(pipe, 0); /* the loop reports the state to the caller, never this call */
    return pipe;
}

/* A simulated process ends with its node, so no statement is pending. */
void db_pipe_drain(struct db_pipe *pipe, int most_ms)
{
    (void)pipe;
    (void)most_ms;
}

void db_pipe_free(struct db_pipe *pipe)
{
    if (!pipe)
        return;
    db_session_end(pipe->reads);
    db_session_end(pipe->writes);
}

bool db_pipe_up(const struct db_pipe *pipe)
{
    return db_session_is_up(pipe->reads) && db_session_is_up(pipe->writes);
}

bool db_pipe_idle(const struct db_pipe *pipe)
{
    return pipe->open_n == 0;
}

void db_pipe_stats(const struct db_pipe *pipe, struct db_pipe_stats *out)
{
    (void)pipe;
    *out = (struct db_pipe_stats){0};
}

const char *db_pipe_last_error(const struct db_pipe *pipe)
{
    (void)pipe;
    return "";
}
