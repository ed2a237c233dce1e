/* A pipe on a real server, and the results of its statements. For the tests of db/pipe.h. */
#ifndef RUMMYD_TESTS_DB_PIPE_RIG_H
#define RUMMYD_TESTS_DB_PIPE_RIG_H

#include "base/clock.h"
#include "db/pipe.h"
#include "tests/db/support.h"

#include <criterion/criterion.h>
#include <ev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rig {
    struct ev_loop *loop;
    struct db_pipe *pipe;
    struct db_conn *side; /* a blocking connection to observe and interfere with */
    const char *conninfo;
    int ups, downs, write_conns;
};

/* The result of one statement. */
struct outcome {
    int calls;
    enum db_outcome outcome;
    char sqlstate[6];
    char value[64];
};

static inline void on_state(void *arg, bool up)
{
    struct rig *rig = arg;
    if (up)
        rig->ups++;
    else
        rig->downs++;
}

static inline void keep(void *arg, const struct db_reply *reply)
{
    struct outcome *to = arg;
    to->calls++;
    to->outcome = reply->outcome;
    if (reply->outcome == DB_OK)
        (void)snprintf(to->value, sizeof to->value, "%s",
                       PQntuples(reply->rows) > 0 ? PQgetvalue(reply->rows, 0, 0) : "");
    else
        memcpy(to->sqlstate, reply->err->sqlstate, sizeof to->sqlstate);
}

enum { HANG_MS = 60000, WRITE_CONNS = 4 };

static inline struct db_pipe_stats stats(const struct rig *rig)
{
    struct db_pipe_stats now;
    db_pipe_stats(rig->pipe, &now);
    return now;
}

/* Runs the loop until the condition holds. */
#define RUN_UNTIL(rig, condition)                                                                            \
    for (int64_t end_ms = clock_mono_ms() + HANG_MS; !(condition);) {                                        \
        cr_assert_lt(clock_mono_ms(), end_ms, "this has not happened: " #condition);                         \
        ev_now_update((rig)->loop);                                                                          \
        (void)ev_run((rig)->loop, EVRUN_NOWAIT);                                                             \
    }

static inline void run_until(struct rig *rig, const int *what, int n)
{
    RUN_UNTIL(rig, *what >= n)
}

/* Waits until PostgreSQL executes pg_sleep() on n connections. */
static inline void run_until_asleep(struct rig *rig, int n)
{
    RUN_UNTIL(rig, strtol(test_value(rig->side, "SELECT count(*) FROM pg_stat_activity WHERE wait_event ="
                                                " 'PgSleep' AND datname = current_database()"),
                          NULL, 10) == n)
}

/* Waits until each connection has been lost and is up again. One can be up again before the next one is
 * lost. */
static inline void run_until_all_reconnected(struct rig *rig)
{
    RUN_UNTIL(rig, (int)stats(rig).reconnects > rig->write_conns && stats(rig).of_reads.up == 1 &&
                       stats(rig).of_writes.up == rig->write_conns)
}

static inline struct rig *begin(struct db_pipe_options options, const char *conninfo)
{
    static struct rig rig;
    rig = (struct rig){.loop = ev_loop_new(EVFLAG_AUTO), .conninfo = conninfo};
    options.conninfo = conninfo;
    options.write_conns = options.write_conns > 0 ? options.write_conns : WRITE_CONNS;
    rig.write_conns = options.write_conns;
    options.on_state = on_state;
    options.on_state_arg = &rig;
    rig.side = test_connect(conninfo);
    rig.pipe = db_pipe_new(rig.loop, &options);
    cr_assert(rig.pipe);
    return &rig;
}

/* Waits for all connections. The pipe itself is up as soon as one connection for writes is. */
static inline struct rig *start(struct db_pipe_options options, const char *conninfo)
{
    struct rig *rig = begin(options, conninfo);
    RUN_UNTIL(rig, stats(rig).of_reads.up == 1 && stats(rig).of_writes.up == rig->write_conns)
    cr_assert_eq(rig->ups, 1);
    return rig;
}

static inline void end(struct rig *rig)
{
    db_pipe_free(rig->pipe);
    ev_loop_destroy(rig->loop);
    db_close(rig->side);
}

static inline struct db_args *number(int64_t n)
{
    static char mem[32];
    static struct db_args args;
    db_args_init(&args, mem, sizeof mem);
    db_args_int(&args, n);
    return &args;
}

static inline void terminate_others(struct rig *rig)
{
    (void)test_value(rig->side, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                " WHERE datname = current_database() AND pid <> pg_backend_pid()");
}

#endif
