/* Asynchronous PostgreSQL access on a libev loop. Used by the REST loops and the hub; everything here is
 * called on the loop's thread, including callbacks.
 *
 * Reads share one pipelined connection with one Sync per loop iteration. If a statement fails, PostgreSQL
 * skips everything up to the Sync, and those statements are sent again, each with its own Sync. A read must
 * not change anything, because statements before the failure in the same iteration are rolled back after
 * they were answered.
 *
 * Writes use a few connections, with one statement and one commit at a time on each, so that PostgreSQL can
 * group commits. Serialization failures and deadlocks are retried a few times. If the connection breaks
 * during a write, its callback gets DB_UNKNOWN.
 *
 * Reads (and likewise writes) that can be combined (db/batch_stmt.h) and wait at the same time are sent as
 * one statement and answered separately; if it is rejected, it is retried in halves, down to single
 * statements. At most two such statements of each kind are pending, so that others can gather.
 *
 * Connections are reopened automatically, with growing pauses; statements are prepared again. */
#ifndef RUMMYD_DB_PIPE_H
#define RUMMYD_DB_PIPE_H

#include "db/args.h"
#include "db/batch_stmt.h"
#include "db/pg.h"

struct ev_loop;
struct db_pipe;

enum {
    DB_PIPE_WRITE_CONNS_MAX = 16,
    DB_PIPE_ARGS_BYTES_MAX = 256 * 1024, /* per statement */
};

struct db_reply {
    enum db_outcome outcome;
    const PGresult *rows;       /* DB_OK: valid until the callback returns; otherwise NULL */
    const struct db_error *err; /* otherwise: the reason; valid until the callback returns */
};
/* May send more statements; must not free the pipe. Called exactly once per accepted statement. */
typedef void db_pipe_fn(void *arg, const struct db_reply *reply);
/* The database has become reachable, or unreachable (all connections of a kind are lost). */
typedef void db_pipe_state_fn(void *arg, bool up);

struct db_pipe_options {
    const char *conninfo;
    const char *name;    /* a literal: the connections' user (db_connect_params); may be NULL */
    int write_conns;     /* 1..DB_PIPE_WRITE_CONNS_MAX; 0: 4 */
    int read_depth;      /* pending reads; 0: unlimited */
    int read_queue_max;  /* statements accepted and not yet answered; 0: 4096 */
    int write_queue_max; /* the same; 0: 1024 */
    /* A connection with pending statements that is silent for this long counts as lost; the server cancels a
     * statement (57014, DB_FAILED) slightly earlier. 0: 10,000 */
    int answer_ms_max;
    int retry_ms_min, retry_ms_max; /* pause before reconnecting, doubling; 0: 50, 2,000 */
    /* How waiting reads, and waiting writes, are combined into one statement; may be NULL. */
    const struct db_batch_stmt *batched_reads, *batched_writes;
    db_pipe_state_fn *on_state; /* may be NULL */
    void *on_state_arg;
};

/* Starts connecting and returns at once; NULL: out of memory. */
struct db_pipe *db_pipe_new(struct ev_loop *loop, const struct db_pipe_options *given);
/* Before db_pipe_free, on the loop's thread while the loop does not run: accepts no more statements and waits
 * for the answers to those sent, for at most most_ms. PostgreSQL logs an error for each connection that is
 * closed while a statement runs on it. */
void db_pipe_drain(struct db_pipe *pipe, int most_ms);
/* Unanswered statements get DB_DOWN (not sent) or DB_UNKNOWN (pending writes). NULL is fine. */
void db_pipe_free(struct db_pipe *pipe);

/* Arguments are copied; NULL if the statement has none. false: nothing was accepted and the callback will not
 * be called, because the queue is full, the arguments are too large, or the database is unreachable (see
 * db_pipe_up): respond 503. During the first attempt to connect, statements are accepted and wait for it. */
bool db_pipe_read(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                  db_pipe_fn *fn, void *arg);
bool db_pipe_write(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                   db_pipe_fn *fn, void *arg);

/* There is a connection for reads and one for writes. */
bool db_pipe_up(const struct db_pipe *pipe);
/* Every accepted statement has been answered. */
bool db_pipe_idle(const struct db_pipe *pipe);
/* For metrics. */
struct db_pipe_pool {
    int up, busy; /* connections; busy: with pending statements */
    int waiting;  /* statements not yet sent */
    uint64_t sent;
    int64_t wait_ns; /* total number of statements sent */
};
struct db_pipe_stats {
    int reads_open, writes_open; /* accepted, but not yet answered */
    uint64_t reads, writes, syncs, failures, retries, reconnects;
    struct db_pipe_pool of_reads, of_writes;
};
void db_pipe_stats(const struct db_pipe *pipe, struct db_pipe_stats *out);
/* Why the last failed attempt to connect failed; "" if none failed. */
const char *db_pipe_last_error(const struct db_pipe *pipe);

#endif
