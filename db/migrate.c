/* Applies the migrations the program carries with it. Called by `rummyd migrate` and at the start
 * of `serve`, on the main thread. */
#include "db/migrate.h"

#include "base/bug.h"
#include "base/log.h"
#include "db/tx.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made by the build of db/migrations/NNNN-*.sql, see the Makefile. */
extern const struct embed_file db_migrations[];
extern const size_t db_migrations_n;

enum { PG_VERSION_MIN = 150000, SUM_BYTES = crypto_hash_sha256_BYTES };

static const struct db_stmt lock_stmt = {
    "migrate_lock", "SELECT pg_advisory_lock(hashtextextended('rummyd migrations', 0))", 0};
static const struct db_stmt unlock_stmt = {
    "migrate_unlock", "SELECT pg_advisory_unlock(hashtextextended('rummyd migrations', 0))", 0};
static const struct db_stmt encoding_stmt = {"migrate_encoding", "SHOW server_encoding", 0};
static const struct db_stmt exists_stmt = {"migrate_exists",
                                           "SELECT to_regclass('schema_migrations') IS NOT NULL", 0};
static const struct db_stmt list_stmt = {
    "migrate_list", "SELECT version, name, checksum FROM schema_migrations ORDER BY version", 0};
static const struct db_stmt note_stmt = {
    "migrate_note", "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)", 3};

static const char create_sql[] = "CREATE TABLE schema_migrations ("
                                 "version integer PRIMARY KEY, name text NOT NULL, checksum bytea NOT NULL, "
                                 "applied_at timestamptz NOT NULL DEFAULT now())";

static int version_of(const struct embed_file *file)
{
    char *end = NULL;
    long version = strtol(file->name, &end, 10);
    ASSERT(end != file->name && *end == '-' && version > 0 && version < 100000);
    return (int)version;
}

static void checksum_of(uint8_t sum[SUM_BYTES], const struct embed_file *file)
{
    crypto_hash_sha256(sum, (const unsigned char *)file->data, file->len);
}

static bool refuse(struct db_error *err, const char *name, const char *why)
{
    *err = (struct db_error){.outcome = DB_FAILED};
    (void)snprintf(err->text, sizeof err->text, "migration %s %s", name, why);
    return false;
}

static bool fit_server(struct db_conn *conn, struct db_error *err)
{
    DB_AUTO PGresult *res = db_run(conn, &encoding_stmt, NULL, err);
    if (!res)
        return false;
    if (strcmp(PQgetvalue(res, 0, 0), "UTF8") == 0 && PQserverVersion(db_handle(conn)) >= PG_VERSION_MIN)
        return true;
    *err = (struct db_error){.outcome = DB_FAILED,
                             .text = "the database must have the encoding UTF8 on PostgreSQL 15 or newer"};
    return false;
}

/* Whether row `row` of what is applied is the file we know under that number. */
static bool known(const PGresult *res, int row, const struct embed_file *files, size_t n,
                  struct db_error *err)
{
    const char *name = PQgetvalue(res, row, 1);
    uint8_t sum[SUM_BYTES];
    uint8_t stored[SUM_BYTES];
    if ((size_t)row >= n)
        return refuse(err, name,
                      "is newer than this program; run the program that applied it, or a newer one");
    if (db_i64(res, row, 0) != version_of(&files[row]) || strcmp(name, files[row].name) != 0)
        return refuse(err, name, "stands in the database where this program has another one");
    checksum_of(sum, &files[row]);
    if (db_bytes(res, row, 2, stored, sizeof stored) != SUM_BYTES || memcmp(sum, stored, SUM_BYTES) != 0)
        return refuse(err, name, "was changed after it was applied to this database");
    return true;
}

/* How many of the files the database has; -1 and *err when they are not the first ones of ours. */
static int count_applied(struct db_conn *conn, const struct embed_file *files, size_t n, struct db_error *err)
{
    DB_AUTO PGresult *there = db_run(conn, &exists_stmt, NULL, err);
    if (!there)
        return -1;
    if (!db_bool(there, 0, 0))
        return 0;
    DB_AUTO PGresult *res = db_run(conn, &list_stmt, NULL, err);
    if (!res)
        return -1;
    for (int row = 0; row < PQntuples(res); row++) {
        if (!known(res, row, files, n, err))
            return -1;
    }
    return PQntuples(res);
}

static bool apply(struct db_conn *conn, void *arg, struct db_error *err)
{
    const struct embed_file *file = arg;
    uint8_t sum[SUM_BYTES];
    char mem[512];
    struct db_args args;
    if (!db_script(conn, file->data, err))
        return false;
    checksum_of(sum, file);
    db_args_init(&args, mem, sizeof mem);
    db_args_int(&args, version_of(file));
    db_args_text(&args, file->name);
    db_args_bytes(&args, sum, sizeof sum);
    DB_AUTO PGresult *res = db_run(conn, &note_stmt, &args, err);
    return res != NULL;
}

static bool apply_missing(struct db_conn *conn, const struct embed_file *files, size_t n, int *applied,
                          struct db_error *err)
{
    int have = count_applied(conn, files, n, err);
    if (have < 0)
        return false;
    DB_AUTO PGresult *there = db_run(conn, &exists_stmt, NULL, err);
    if (!there || (!db_bool(there, 0, 0) && !db_script(conn, create_sql, err)))
        return false;
    for (size_t i = (size_t)have; i < n; i++) {
        ASSERT(i == 0 || version_of(&files[i]) > version_of(&files[i - 1]));
        struct embed_file file = files[i];
        if (!db_tx_run(conn, NULL, apply, &file, err)) {
            struct db_error why = *err;
            (void)refuse(err, file.name, "failed");
            err->outcome = why.outcome;
            memcpy(err->sqlstate, why.sqlstate, sizeof err->sqlstate);
            size_t len = strlen(err->text);
            (void)snprintf(err->text + len, sizeof err->text - len, ": %.*s", 300, why.text);
            return false;
        }
        log_info("migrated", LOG_TEXT("migration", file.name));
        *applied += 1;
    }
    return true;
}

bool db_migrate_files(struct db_conn *conn, const struct embed_file *files, size_t n, int *applied,
                      struct db_error *err)
{
    int ran = 0;
    *err = (struct db_error){0};
    if (!fit_server(conn, err) || !db_script(conn, "SET lock_timeout = '60s'", err))
        return false;
    DB_AUTO PGresult *lock = db_run(conn, &lock_stmt, NULL, err);
    if (!lock) {
        if (strcmp(err->sqlstate, "55P03") == 0)
            (void)snprintf(err->text, sizeof err->text,
                           "another process has been migrating this database for a minute");
        return false;
    }
    bool done = apply_missing(conn, files, n, &ran, err);
    struct db_error ignored;
    DB_AUTO PGresult *unlock = db_run(conn, &unlock_stmt, NULL, &ignored);
    (void)unlock; /* only to be freed */
    (void)db_script(conn, "RESET lock_timeout", &ignored);
    if (applied)
        *applied = ran;
    return done;
}

bool db_migrate(struct db_conn *conn, int *applied, struct db_error *err)
{
    return db_migrate_files(conn, db_migrations, db_migrations_n, applied, err);
}

enum db_schema db_schema_state(struct db_conn *conn, struct db_error *err)
{
    int have = count_applied(conn, db_migrations, db_migrations_n, err);
    if (have < 0)
        return DB_SCHEMA_UNKNOWN;
    return (size_t)have == db_migrations_n ? DB_SCHEMA_OK : DB_SCHEMA_BEHIND;
}
