/* One asynchronous connection of a pipe (db/pipe.h): connects, sends statements in pipeline mode, reads their
 * answers, and reconnects. Used only by db/pipe.c; everything runs on its loop's thread. */
#ifndef RUMMYD_DB_ASYNC_CONN_H
#define RUMMYD_DB_ASYNC_CONN_H

#include "db/pipe.h"

#include <ev.h>

enum {
    DB_ASYNC_CONN_DEPTH_MAX = 512,                           /* pending statements per connection */
    DB_ASYNC_CONN_ENTRIES_MAX = 4 * DB_ASYNC_CONN_DEPTH_MAX, /* prepare, its Sync, statement, its Sync */
    DB_ASYNC_CONN_TURN_BYTES_MAX = 1024 * 1024, /* of arguments passed to libpq per loop iteration */
    DB_REQUEST_TRIES_MAX = 5,
    DB_CONNECT_MS_MAX = 10000,
};

/* A statement that was accepted and has not been answered; owned by the queue it is in. */
struct db_request {
    struct db_request *next;
    const struct db_stmt *stmt;
    db_pipe_fn *fn;
    void *arg;
    bool alone; /* send with its own Sync, because a statement before it or combined with it failed */
    int tries;
    int64_t accepted_ns;        /* 0: was sent before */
    struct db_request *members; /* of a combined statement (db/batch_stmt.h), in order; otherwise NULL */
    struct db_args args;
    char mem[]; /* of args */
};

enum db_async_conn_state {
    DB_ASYNC_CONN_IDLE,
    DB_ASYNC_CONN_WAITING,
    DB_ASYNC_CONN_CONNECTING,
    DB_ASYNC_CONN_UP
};

struct db_async_conn_hooks {
    void (*changed)(void *owner); /* connected, disconnected, or failed at the first attempt */
    /* The request ends here; reply is valid until this returns. */
    void (*done)(void *owner, struct db_request *request, const struct db_reply *reply);
    /* Nothing was done; send it again. */
    void (*again)(void *owner, struct db_request *request);
};

struct db_async_conn {
    struct ev_loop *loop;
    const struct db_async_conn_hooks *hooks;
    void *owner;
    const char *conninfo;
    const char *name;
    bool commits;  /* answers wait for their Sync, that is, for the commit */
    int depth_max; /* maximum number of pending statements */
    int answer_ms_max, retry_ms_min, retry_ms_max;

    enum db_async_conn_state state;
    bool tried; /* has attempted to connect, successfully or not */
    PGconn *pg;
    ev_io io;
    ev_timer timer; /* pause before connecting, or timeout for an answer */
    int pause_ms;
    int silent_parts; /* parts of answer_ms_max since anything was received */
    struct db_prepared prepared;
    const struct db_stmt *unprepared; /* could not be prepared, for the reason in prepare_err */
    struct db_error prepare_err;

    struct entry {
        enum db_async_conn_entry { ENTRY_PREPARE, ENTRY_QUERY, ENTRY_SYNC } what;
        const struct db_stmt *stmt;
        struct db_request *request;
    } entries[DB_ASYNC_CONN_ENTRIES_MAX]; /* ring buffer, in the order sent */
    int head, n, queries_n;
    bool segment_open; /* statements were sent after the last Sync */
    size_t turn_bytes;

    struct db_request *held; /* if commits: executed, but its Sync is not answered yet */
    PGresult *held_rows;
    struct db_error last_err;
    uint64_t syncs, connects;
};

void db_async_conn_init(struct db_async_conn *conn, struct ev_loop *loop,
                        const struct db_async_conn_hooks *hooks, void *owner,
                        const struct db_pipe_options *options, bool commits, int depth_max);
void db_async_conn_start(struct db_async_conn *conn);
/* Waits until the sent statements are answered, but at most until clock_mono_ms() is until_ms. */
void db_async_conn_drain(struct db_async_conn *conn, int64_t until_ms);
/* Disconnects for good; pending statements get an error. */
void db_async_conn_stop(struct db_async_conn *conn);
bool db_async_conn_has_room(const struct db_async_conn *conn);
/* Sends the request, which requires capacity; the connection owns it until a hook returns it. */
void db_async_conn_send(struct db_async_conn *conn, struct db_request *request);
/* Ends the iteration: Sync and flush. */
void db_async_conn_flush(struct db_async_conn *conn);

#endif
