/* Blocking connections, replacing the blocking half of db/pg.c: the linker redirects its callers here
 * (--wrap, see the Makefile). */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "db/for_each_id.h"
#include "tests/simulate/client_of_db.h"

enum { CONNECT_US_MAX = 10 * SIM_S };

struct db_conn { /* of a node */
    struct sim_node *node;
    struct session *session; /* NULL: disconnected */
    unsigned generation;
};

/* ---- Blocking connections, as db/pg.h has them ---- */
struct blocked {
    bool done;
    struct answer answer;
    struct sim_node *node;
};

static void unblock(void *arg, struct answer *got)
{
    struct blocked *blocked = arg;
    blocked->answer = *got;
    blocked->done = true;
    sim_fiber_wake_all(blocked->node, blocked, true);
}

static struct answer call(struct db_conn *conn, enum db_call_kind what, const char *name,
                          const struct db_args *args)
{
    /* Not on the fiber's stack, which is reused after the fiber's death. */
    struct blocked *blocked = calloc(1, sizeof(*blocked));
    ASSERT(blocked);
    blocked->node = conn->node;
    db_session_call(conn->session, what, name, args, unblock, blocked);
    while (!blocked->done)
        (void)sim_fiber_park(blocked, -1);
    struct answer got = blocked->answer;
    free(blocked);
    return got;
}

static bool is_up(struct db_conn *conn, struct db_error *err)
{
    if (db_session_is_up(conn->session))
        return true;
    conn->session = NULL;
    *err = (struct db_error){.outcome = DB_DOWN, .text = "there is no connection to PostgreSQL"};
    return false;
}

bool __wrap_db_is_up(const struct db_conn *conn)
{
    return db_session_is_up(conn->session);
}

bool __wrap_db_reopen(struct db_conn *conn, struct db_error *err)
{
    if (conn->session)
        db_session_end(conn->session);
    conn->session = NULL;
    (void)sim_fiber_park(conn, db_is_cut(conn->node) ? CONNECT_US_MAX : sim_between(&sim_net, 500, 3000));
    conn->session = db_session_begin(conn->node);
    if (!conn->session) {
        *err = (struct db_error){.outcome = DB_DOWN, .text = "cannot connect to PostgreSQL"};
        return false;
    }
    conn->generation++;
    return true;
}

struct db_conn *__wrap_db_open(const char *conninfo, struct db_error *err)
{
    struct db_conn *conn = calloc(1, sizeof(*conn));
    (void)conninfo;
    ASSERT(conn);
    conn->node = sim_node_now();
    if (__wrap_db_reopen(conn, err))
        return conn;
    free(conn);
    return NULL;
}

/* The world itself ends connections that are silent for long (client_of_db.c). */
void __wrap_db_answer_within(struct db_conn *conn, int64_t ms)
{
    ASSERT(conn->session && ms > 0);
}

void __wrap_db_close(struct db_conn *conn)
{
    if (conn && conn->session)
        db_session_end(conn->session);
    free(conn);
}

/* A lost answer leaves the connection broken. */
static bool take_answer(struct db_conn *conn, const struct answer *got, struct db_error *err)
{
    if (got->err.outcome == DB_OK)
        return true;
    *err = got->err;
    if (err->outcome == DB_UNKNOWN)
        conn->session = NULL;
    return false;
}

PGresult *__wrap_db_run(struct db_conn *conn, const struct db_stmt *stmt, const struct db_args *args,
                        struct db_error *err)
{
    ASSERT(stmt->n_params == (args ? args->n : 0));
    if (!is_up(conn, err))
        return NULL;
    struct answer got = call(conn, DB_CALL_RUN, stmt->name, args);
    return take_answer(conn, &got, err) ? got.rows : NULL;
}

bool __wrap_db_script(struct db_conn *conn, const char *sql, struct db_error *err)
{
    if (!is_up(conn, err))
        return false;
    if (strncmp(sql, "SET ", 4) == 0)
        return true;
    struct answer got = call(conn, strcmp(sql, "BEGIN") == 0 ? DB_CALL_BEGIN : DB_CALL_ROLLBACK, sql, NULL);
    return take_answer(conn, &got, err);
}

/* ---- COMMIT bypasses db_script, because its answer is read (db/tx.c) ---- */
static struct db_error commit_error;

PGconn *__wrap_db_handle(struct db_conn *conn)
{
    return (PGconn *)conn;
}

PGresult *__wrap_db_exec(struct db_conn *conn, const char *sql)
{
    struct db_error err = {0};
    ASSERT(strcmp(sql, "COMMIT") == 0);
    bool ok = is_up(conn, &err);
    if (ok) {
        struct answer got = call(conn, DB_CALL_COMMIT, sql, NULL);
        ok = take_answer(conn, &got, &err);
    }
    commit_error = err;
    if (sim_planted == SIM_PLANT_DOUBT_IS_DONE && err.outcome == DB_UNKNOWN)
        ok = true;
    return PQmakeEmptyPGresult(NULL, ok ? PGRES_COMMAND_OK : PGRES_FATAL_ERROR);
}

char *__wrap_PQcmdStatus(PGresult *res)
{
    static char commit[] = "COMMIT";
    (void)res;
    return commit;
}

void __wrap_db_error_from(struct db_error *err, PGconn *pg, const PGresult *res, enum db_outcome when_lost)
{
    (void)pg;
    (void)res;
    *err = commit_error;
    if (err->outcome == DB_UNKNOWN)
        err->outcome = when_lost;
    ASSERT(err->outcome != DB_OK);
}

bool __wrap_db_for_each_id(struct db_conn *conn, const struct db_stmt *stmt, const int64_t *ids, size_t n,
                           void (*visit)(void *arg, int64_t id, const PGresult *rows), void *arg,
                           struct db_error *err)
{
    for (size_t i = 0; i < n; i++) {
        char memory[64];
        struct db_args args;
        db_args_init(&args, memory, sizeof(memory));
        db_args_int(&args, ids[i]);
        DB_AUTO PGresult *rows = __wrap_db_run(conn, stmt, &args, err);
        if (!rows)
            return false;
        visit(arg, ids[i], rows);
    }
    return true;
}
