/* One blocking connection to PostgreSQL: for startup, subcommands, migrations, and the journal thread.
 * Statements are prepared on first use, and again after a reconnect. One thread per connection. */
#ifndef RUMMYD_DB_PG_H
#define RUMMYD_DB_PG_H

#include "db/args.h"

#include <libpq-fe.h>

/* A prepared statement: a static const next to the function that binds it. It is named after the SQL function
 * it calls; if it calls none, or several, the name describes it. */
struct db_stmt {
    const char *name; /* unique in the program, at most DB_STMT_NAME_MAX bytes */
    const char *sql;
    int n_params;
};
enum {
    DB_STMT_MAX = 256,    /* different statements of one connection */
    DB_STMT_NAME_MAX = 63 /* PostgreSQL truncates longer names, so two could collide */
};

enum {
    DB_ANSWER_MS_MAX = 15000,        /* for moves, leases, and settlements; same as tcp_user_timeout */
    DB_WORK_ANSWER_MS_MAX = 120000,  /* for background work */
    DB_PROOF_ANSWER_MS_MAX = 3600000 /* for statements that read the whole ledger */
};

enum db_outcome {
    DB_OK = 0,
    DB_DOWN,    /* no connection, or it was lost before anything could have happened: nothing was done */
    DB_UNKNOWN, /* connection lost with the statement pending: retry only with an idempotency key
                 */
    DB_RETRY,   /* serialization failure or deadlock: nothing was done, a retry may succeed */
    DB_NO_ROOM, /* the database is short of disk, memory, or connections: nothing was done, a later retry may
                   succeed */
    DB_FAILED,  /* rejected by the database: see sqlstate and text; nothing was done */
    DB_TOO_BIG, /* the arguments did not fit into their memory: nothing was sent */
};

struct db_error {
    enum db_outcome outcome;
    char sqlstate[6]; /* "" if the database did not answer */
    char text[400];   /* one user-facing sentence; no newline, no password */
};

struct db_conn;

/* Whether no one on the path to PostgreSQL can read the traffic or impersonate the server: it is on this
 * machine, or its certificate is checked (sslmode=verify-full). true for a conninfo that libpq cannot
 * parse, because connecting reports the error. */
bool db_conninfo_is_secure(const char *conninfo);

/* What is wrong with a conninfo, without quoting it (it may contain a password); NULL: libpq accepts it. */
const char *db_conninfo_fault(const char *conninfo);

/* Connects; NULL and *err on failure: refused, wrong password, no such database... */
struct db_conn *db_open(const char *conninfo, struct db_error *err);
void db_close(struct db_conn *conn); /* NULL is fine */
/* Replaces the connection with a new one; the generation increases. Makes one attempt. */
bool db_reopen(struct db_conn *conn, struct db_error *err);
/* From now on, if an answer takes longer than ms, the connection is considered lost: DB_UNKNOWN. Without a
 * timeout, a statement has no time limit, and a caller waits forever if PostgreSQL is frozen behind a
 * proxy, because the proxy keeps the connection alive. */
void db_answer_within(struct db_conn *conn, int64_t ms);
bool db_is_up(const struct db_conn *conn);
/* For background work: connects if *conn is NULL, reconnects if it is broken. */
bool db_keep_up(struct db_conn **conn, const char *conninfo, int64_t answer_ms, struct db_error *err);
/* Number of times the connection was established; session state (locks, settings) belongs to one
 * generation. */
unsigned db_generation(const struct db_conn *conn);
/* The socket, to watch for a broken connection; -1 when disconnected. */
int db_socket(const struct db_conn *conn);

/* Runs a statement; the caller frees the result with PQclear. NULL and *err if it failed. args may be NULL if
 * n_params is 0. Results are in text form. */
PGresult *db_run(struct db_conn *conn, const struct db_stmt *stmt, const struct db_args *args,
                 struct db_error *err);
/* Runs any number of statements without parameters, as text. For migrations, BEGIN, and COMMIT. */
bool db_script(struct db_conn *conn, const char *sql, struct db_error *err);
/* The same, but returns the result, which the caller frees; NULL if it could not be sent. */
PGresult *db_exec(struct db_conn *conn, const char *sql);

/* ---- Reading results (text form) --------------------------------------------------------- */
/* Frees the result at the end of the scope: DB_AUTO PGresult *res = db_run(...) */
static inline void db_result_drop(PGresult **res)
{
    PQclear(*res);
}
#define DB_AUTO __attribute__((cleanup(db_result_drop)))

/* The column must exist in the statement: otherwise BUG. */
int db_col(const PGresult *res, const char *name);
int64_t db_i64(const PGresult *res, int row, int col); /* NULL gives 0 */
bool db_bool(const PGresult *res, int row, int col);
const char *db_text(const PGresult *res, int row, int col); /* NULL gives NULL; lives with the result */
/* bytea: returns the length, -1 if NULL or longer than cap. */
int db_bytes(const PGresult *res, int row, int col, uint8_t *out, size_t cap);

/* The libpq connection, for special uses. NULL when disconnected. */
PGconn *db_handle(struct db_conn *conn);

/* ---- For the other files of db/ ------------------------------------------------------------ */
/* Prepares the statement unless it is prepared already. */
bool db_prepare(struct db_conn *conn, const struct db_stmt *stmt, struct db_error *err);
/* The statements that a connection has prepared, identified by address, because each is a static const. */
struct db_prepared {
    const struct db_stmt *slots[DB_STMT_MAX];
    int n;
};
bool db_prepared_has(const struct db_prepared *set, const struct db_stmt *stmt);
void db_prepared_add(struct db_prepared *set, const struct db_stmt *stmt);
void db_prepared_remove(struct db_prepared *set, const struct db_stmt *stmt);

/* Keywords and values for PQconnectdbParams and PQconnectStartParams; each array needs DB_CONNECT_MAX
 * elements. name: the connection's user, for pg_stat_activity; NULL: the program's name. settings: session
 * settings, as on the server's command line; they override the conninfo. An application_name in the
 * conninfo replaces name. */
enum { DB_CONNECT_MAX = 12 };
void db_connect_params(const char *conninfo, const char *name, const char *settings, const char **keywords,
                       const char **values);
/* The options of db/session.def, "-c name=value …". They override those of database, role, and conninfo. */
extern const char db_session_settings[];

/* Logs the server's notices at debug level, except those that name players with news. Without a notice
 * receiver, libpq would print notices to stderr. */
void db_on_notice(void *arg, const PGresult *res);
/* Gets the players for whom a statement of this process has written notifications. Called on the
 * connection's thread while the statement runs, so its rows are not visible yet. Must not block. */
struct db_news_watch {
    void *ctx;
    void (*news)(void *ctx, int64_t player_id);
};
/* NULL: none. It must outlive all connections. */
void db_watch_news(const struct db_news_watch *watch);
/* libpq's error message for its connection (NULL: out of memory), after a prefix. */
void db_error_from_libpq(struct db_error *err, PGconn *pg, enum db_outcome outcome, const char *prefix);
/* Fills *err from libpq's error for a result or, if res is NULL, for the connection. Used by the other files
 * of db/. */
void db_error_from(struct db_error *err, PGconn *pg, const PGresult *res, enum db_outcome when_lost);

#endif
