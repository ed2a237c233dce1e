/* One blocking connection to PostgreSQL: for start-up, subcommands, migrations, the journal thread.
 * Statements are prepared when first used and again after a reconnect. One thread each. */
#ifndef RUMMYD_DB_PG_H
#define RUMMYD_DB_PG_H

#include "db/args.h"

#include <libpq-fe.h>

/* A prepared statement: a static const next to the function that binds it. It bears the name of the SQL
 * function it calls; one that calls none, or several, says what it is. */
struct db_stmt {
    const char *name; /* unique in the program, at most DB_STMT_NAME_MAX bytes */
    const char *sql;
    int n_params;
};
enum {
    DB_STMT_MAX = 256,    /* different statements of one connection */
    DB_STMT_NAME_MAX = 63 /* PostgreSQL cuts a longer name, and two may become the same */
};

enum {
    DB_ANSWER_MS_MAX = 15000,        /* of moves, leases and settlements, as tcp_user_timeout */
    DB_WORK_ANSWER_MS_MAX = 120000,  /* of work in the background */
    DB_PROOF_ANSWER_MS_MAX = 3600000 /* of one that reads the whole ledger */
};

enum db_outcome {
    DB_OK = 0,
    DB_DOWN,    /* no connection, or lost before anything could have happened: nothing was done */
    DB_UNKNOWN, /* connection lost with the statement on its way: done or not; retry only by an idempotency
                   key */
    DB_RETRY,   /* serialization failure or deadlock: nothing was done, the same again may pass */
    DB_NO_ROOM, /* the database is short of disk, memory or connections: nothing was done, later it may pass
                 */
    DB_FAILED,  /* refused by the database: see sqlstate and text; nothing was done */
    DB_TOO_BIG, /* the arguments did not fit their memory: not sent */
};

struct db_error {
    enum db_outcome outcome;
    char sqlstate[6]; /* "" when the database did not answer */
    char text[400];   /* one sentence for people; no newline, no password */
};

struct db_conn;

/* Whether nobody between here and PostgreSQL can read along or pretend to be it: it is on this machine, or
 * its certificate is checked (sslmode=verify-full). Of a conninfo that libpq cannot read true: connecting
 * says what is wrong with it. */
bool db_is_guarded(const char *conninfo);

/* What is wrong with a conninfo, without a word of it (there may be a password in it); NULL: libpq reads it.
 */
const char *db_conninfo_fault(const char *conninfo);

/* Connects; NULL and *err when it fails: refused, wrong password, no such database... */
struct db_conn *db_open(const char *conninfo, struct db_error *err);
void db_close(struct db_conn *conn); /* NULL is fine */
/* A new connection for the old; the generation grows. One try. */
bool db_reopen(struct db_conn *conn, struct db_error *err);
/* From now on an answer that has not come after so many ms is lost, and the connection with it: DB_UNKNOWN.
 * Without it a statement may take as long as it takes, and whoever waits for a PostgreSQL that is frozen
 * behind a proxy waits for ever: the proxy answers for it on the line. */
void db_answer_within(struct db_conn *conn, int64_t ms);
bool db_is_up(const struct db_conn *conn);
/* For work in the background: connects where *conn is NULL, again where it is broken. */
bool db_keep_up(struct db_conn **conn, const char *conninfo, int64_t answer_ms, struct db_error *err);
/* How often it has been connected; session state (locks, settings) is of one generation. */
unsigned db_generation(const struct db_conn *conn);
/* The socket, for one who waits for it to break; -1 when down. */
int db_socket(const struct db_conn *conn);

/* Runs a statement; the caller frees the result with PQclear. NULL and *err when it did not succeed.
 * args may be NULL when n_params is 0. Results are in text form. */
PGresult *db_run(struct db_conn *conn, const struct db_stmt *stmt, const struct db_args *args,
                 struct db_error *err);
/* Any number of statements without parameters, in text. For migrations, BEGIN and COMMIT. */
bool db_script(struct db_conn *conn, const char *sql, struct db_error *err);
/* The same, for who reads the answer, which is theirs to clear; NULL when it could not be sent. */
PGresult *db_exec(struct db_conn *conn, const char *sql);

/* ---- Reading results (text form) --------------------------------------------------------- */
/* Frees the result at the end of the scope: DB_AUTO PGresult *res = db_run(...) */
static inline void db_result_drop(PGresult **res)
{
    PQclear(*res);
}
#define DB_AUTO __attribute__((cleanup(db_result_drop)))

/* The column must exist in the statement: BUG when not. */
int db_col(const PGresult *res, const char *name);
int64_t db_i64(const PGresult *res, int row, int col); /* NULL gives 0 */
bool db_bool(const PGresult *res, int row, int col);
const char *db_text(const PGresult *res, int row, int col); /* NULL gives NULL; lives with the result */
/* bytea: returns the length, -1 when NULL or longer than cap. */
int db_bytes(const PGresult *res, int row, int col, uint8_t *out, size_t cap);

/* The libpq connection, for what only it can do. NULL when down. */
PGconn *db_handle(struct db_conn *conn);

/* ---- For the other files of db/ ------------------------------------------------------------ */
/* Prepares the statement unless it is. */
bool db_prepare(struct db_conn *conn, const struct db_stmt *stmt, struct db_error *err);
/* Which statements a connection has prepared: by address, for a statement is a static const. */
struct db_prepared {
    const struct db_stmt *slots[DB_STMT_MAX];
    int n;
};
bool db_prepared_has(const struct db_prepared *set, const struct db_stmt *stmt);
void db_prepared_add(struct db_prepared *set, const struct db_stmt *stmt);
void db_prepared_remove(struct db_prepared *set, const struct db_stmt *stmt);

/* Keywords and values for PQconnectdbParams and PQconnectStartParams; each array needs DB_CONNECT_MAX places.
 * name: whose connection it is, for pg_stat_activity; NULL: the program's. settings: of the session, as the
 * server's command line takes them; they count whatever the conninfo says. Its own application_name replaces
 * name. */
enum { DB_CONNECT_MAX = 12 };
void db_connect_params(const char *conninfo, const char *name, const char *settings, const char **keywords,
                       const char **values);
/* The options of db/session.def, "-c name=value …". They count whatever database, role, and conninfo say. */
extern const char db_session_settings[];

/* Notices of the server go to the log at debug level, but for those of players who have news; without a
 * receiver libpq writes to stderr itself. */
void db_on_notice(void *arg, const PGresult *res);
/* Who hears of players for whom a statement of this process has written notifications. On the thread of the
 * connection, while the statement runs: what it has written is not there yet. It must not block. */
struct db_news_watch {
    void *ctx;
    void (*news)(void *ctx, int64_t player_id);
};
/* NULL: nobody. It must live as long as there are connections. */
void db_watch_news(const struct db_news_watch *watch);
/* What libpq says of its connection (NULL: memory was short), after a prefix. */
void db_error_from_libpq(struct db_error *err, PGconn *pg, enum db_outcome outcome, const char *prefix);
/* Fills *err from what libpq says of a result or, when res is NULL, of the connection. Used by the other
 * files of db/. */
void db_error_from(struct db_error *err, PGconn *pg, const PGresult *res, enum db_outcome when_lost);

#endif
