/* Many reads in libpq's pipeline mode; see for_each_id.h. */
#include "db/for_each_id.h"

#include "base/bug.h"

#include <stdio.h>

/* Two chunks are pending at a time, so that PostgreSQL works on one while we process the other. Everything
 * sent for them fits into a socket's buffer, so that we never wait for PostgreSQL while it waits for us to
 * read. */
enum { CHUNK_MAX = 32 };

static bool send_chunk(PGconn *pg, const struct db_stmt *stmt, const int64_t *ids, size_t n)
{
    ASSERT(n <= CHUNK_MAX);
    for (size_t i = 0; i < n; i++) {
        char text[24];
        const char *values[1] = {text};
        (void)snprintf(text, sizeof text, "%lld", (long long)ids[i]);
        if (!PQsendQueryPrepared(pg, stmt->name, 1, values, NULL, NULL, 0))
            return false;
    }
    return n == 0 || PQpipelineSync(pg) == 1;
}

/* A statement's result is followed by a NULL. */
static bool read_one(PGconn *pg, int64_t id, void (*visit)(void *arg, int64_t id, const PGresult *rows),
                     void *arg, struct db_error *err)
{
    DB_AUTO PGresult *rows = PQgetResult(pg);
    if (PQresultStatus(rows) != PGRES_TUPLES_OK) {
        db_error_from(err, pg, rows, DB_DOWN);
        return false;
    }
    visit(arg, id, rows);
    DB_AUTO PGresult *end = PQgetResult(pg);
    ASSERT(end == NULL);
    return true;
}

static bool read_sync(PGconn *pg, struct db_error *err)
{
    DB_AUTO PGresult *sync = PQgetResult(pg);
    if (PQresultStatus(sync) == PGRES_PIPELINE_SYNC)
        return true;
    db_error_from(err, pg, sync, DB_DOWN);
    return false;
}

static size_t chunk_at(size_t at, size_t n)
{
    ASSERT(at <= n);
    return n - at < CHUNK_MAX ? n - at : CHUNK_MAX;
}

bool db_for_each_id(struct db_conn *conn, const struct db_stmt *stmt, const int64_t *ids, size_t n,
                    void (*visit)(void *arg, int64_t id, const PGresult *rows), void *arg,
                    struct db_error *err)
{
    ASSERT(stmt->n_params == 1);
    if (!db_prepare(conn, stmt, err))
        return false;
    PGconn *pg = db_handle(conn);
    bool ok = PQenterPipelineMode(pg) == 1 && send_chunk(pg, stmt, ids, chunk_at(0, n));
    if (!ok)
        db_error_from(err, pg, NULL, DB_DOWN);
    for (size_t at = 0; ok && at < n;) {
        size_t now = chunk_at(at, n);
        ok = send_chunk(pg, stmt, ids + at + now, chunk_at(at + now, n));
        if (!ok)
            db_error_from(err, pg, NULL, DB_DOWN);
        for (size_t i = 0; ok && i < now; i++)
            ok = read_one(pg, ids[at + i], visit, arg, err);
        ok = ok && read_sync(pg, err);
        at += now;
    }
    return ok && PQexitPipelineMode(pg) == 1;
}
