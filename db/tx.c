/* Transactions of several statements, retried on serialization failures and deadlocks. One thread per
 * connection. */
#include "db/tx.h"

#include "base/bug.h"

#include <string.h>
#include <time.h>

static bool commit(struct db_conn *conn, struct db_error *err)
{
    ASSERT(db_handle(conn));
    DB_AUTO PGresult *res = db_exec(conn, "COMMIT");
    if (PQresultStatus(res) != PGRES_COMMAND_OK) {
        db_error_from(err, db_handle(conn), res, DB_UNKNOWN);
        return false;
    }
    /* COMMIT of a transaction with a failed statement "succeeds" by rolling back. */
    if (strcmp(PQcmdStatus(res), "COMMIT") != 0) {
        *err = (struct db_error){.outcome = DB_FAILED, .text = "the transaction was rolled back at its end"};
        return false;
    }
    return true;
}

static void pause_before(int try)
{
    ASSERT(try >= 1 && try < DB_TX_TRIES_MAX);
    struct timespec ms = {.tv_nsec = 1000000L << (try < 6 ? try : 6) };
    (void)nanosleep(&ms, NULL);
}

bool db_tx_run(struct db_conn *conn, const char *begin, db_tx_fn *fn, void *arg, struct db_error *err)
{
    for (int try = 1;; try++) {
        *err = (struct db_error){0};
        if (!db_script(conn, begin ? begin : "BEGIN", err)) {
            if (err->outcome == DB_UNKNOWN)
                err->outcome = DB_DOWN; /* an empty transaction */
            return false;
        }
        if (fn(conn, arg, err)) {
            if (commit(conn, err))
                return true;
        } else {
            ASSERT(err->outcome != DB_OK);
            struct db_error ignored;
            if (db_is_up(conn))
                (void)db_script(conn, "ROLLBACK", &ignored);
            else
                err->outcome = DB_DOWN; /* lost before the commit was requested: nothing was done */
        }
        if (err->outcome != DB_RETRY || try == DB_TX_TRIES_MAX)
            return false;
        pause_before(try);
    }
}
