/* PostgreSQL without waiting, on a libev loop. Used by the REST loops and the hub; everything here
 * is called on the loop's thread, callbacks too.
 *
 * Reads share one pipelined connection with one Sync a loop turn. When a statement fails, PostgreSQL skips
 * what follows up to the Sync: those are sent again, each with a Sync of its own. A read must change nothing:
 * what ran before the failure in the same turn is rolled back after it was answered.
 *
 * Writes go over a few connections, one statement and one commit at a time on each, so that PostgreSQL can
 * group commits. Serialization failures and deadlocks are tried again a few times. When the connection breaks
 * under a write its callback gets DB_UNKNOWN.
 *
 * Reads, and writes, that can be done together (db/together.h) and wait at once are one statement, and
 * answered each by itself; when it is rejected it is tried again in halves, down to the statement of each
 * alone. Two such statements of each sort are on their way at most, so that the others gather.
 *
 * Connections come back by themselves, with growing pauses; statements are prepared again. */
#ifndef RUMMYD_DB_PIPE_H
#define RUMMYD_DB_PIPE_H

#include "db/args.h"
#include "db/pg.h"
#include "db/together.h"

struct ev_loop;
struct db_pipe;

enum {
    DB_PIPE_WRITE_CONNS_MAX = 16,
    DB_PIPE_ARGS_BYTES_MAX = 256 * 1024, /* of one statement */
};

struct db_reply {
    enum db_outcome outcome;
    const PGresult *rows;       /* DB_OK: lives until the callback returns; else NULL */
    const struct db_error *err; /* else: why; lives until the callback returns */
};
/* May send more statements; must not free the pipe. Called exactly once for each statement accepted. */
typedef void db_pipe_fn(void *arg, const struct db_reply *reply);
/* The database is reachable again or no more (all connections of a kind lost). */
typedef void db_pipe_state_fn(void *arg, bool up);

struct db_pipe_options {
    const char *conninfo;
    const char *name;    /* a literal: whose connections they are (db_connect_params); may be NULL */
    int write_conns;     /* 1..DB_PIPE_WRITE_CONNS_MAX; 0: 4 */
    int read_depth;      /* reads on their way at once; 0: as many as come */
    int read_queue_max;  /* statements accepted and not yet answered; 0: 4096 */
    int write_queue_max; /* the same; 0: 1024 */
    /* With something on its way and silent for so long, a connection counts as lost; the server cancels a
     * statement (57014, DB_FAILED) a little before. 0: 10,000 */
    int answer_ms_max;
    int retry_ms_min, retry_ms_max; /* pause before connecting again, doubling; 0: 50, 2,000 */
    /* Reads, and writes, of this kind that wait at once are one statement; may be NULL. */
    const struct db_together *reads_together, *writes_together;
    db_pipe_state_fn *on_state; /* may be NULL */
    void *on_state_arg;
};

/* Starts connecting and returns at once; NULL when memory is short. */
struct db_pipe *db_pipe_new(struct ev_loop *loop, const struct db_pipe_options *given);
/* Before db_pipe_free, on the loop's thread while the loop does not run: accepts no more statements and waits
 * for the answers to those that were sent, for so long at most. PostgreSQL logs an error for each connection
 * that is closed while a statement runs on it. */
void db_pipe_drain(struct db_pipe *pipe, int most_ms);
/* What is not answered yet gets DB_DOWN (not sent) or DB_UNKNOWN (writes on their way). NULL is fine. */
void db_pipe_free(struct db_pipe *pipe);

/* Arguments are copied; NULL when the statement has none. false: nothing was accepted and the callback will
 * not be called, because the queue is full, the arguments are too big or the database is away (db_pipe_up
 * tells which): answer 503. While the first try to connect lasts, statements are accepted and wait for it. */
bool db_pipe_read(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                  db_pipe_fn *fn, void *arg);
bool db_pipe_write(struct db_pipe *pipe, const struct db_stmt *stmt, const struct db_args *args,
                   db_pipe_fn *fn, void *arg);

/* Reads and writes both have a connection. */
bool db_pipe_up(const struct db_pipe *pipe);
/* Every statement that was accepted is answered. */
bool db_pipe_idle(const struct db_pipe *pipe);
/* For metrics. */
struct db_pipe_pool {
    int up, busy; /* connections; busy: with something on its way */
    int waiting;  /* statements that were not sent yet */
    uint64_t sent;
    int64_t wait_ns; /* of those that were sent, together */
};
struct db_pipe_stats {
    int reads_open, writes_open; /* accepted and not answered */
    uint64_t reads, writes, syncs, failures, retries, reconnects;
    struct db_pipe_pool of_reads, of_writes;
};
void db_pipe_stats(const struct db_pipe *pipe, struct db_pipe_stats *out);
/* Why the last try to connect failed; "" when none did. */
const char *db_pipe_last_error(const struct db_pipe *pipe);

#endif
