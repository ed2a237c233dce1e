/* Applies what the program carries with it: schema.sql, functions, data, migrations. Called by
 * `rummyd migrate` and at the start of `serve`, on the main thread. */
#include "db/migrate.h"

#include "base/bug.h"
#include "base/log.h"
#include "db/schema_code.h"
#include "db/tx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made by the build, see the Makefile. */
extern const struct embed_file db_schema_sql[];
extern const struct embed_file db_grants_sql[];
extern const struct embed_file db_functions[];
extern const size_t db_functions_n;
extern const struct embed_file db_data[];
extern const size_t db_data_n;
extern const struct embed_file db_migrations[];
extern const size_t db_migrations_n;

enum { PG_VERSION_MIN = 150000 };

static const struct db_stmt lock_stmt = {
    "migrate_lock", "SELECT pg_advisory_lock(hashtextextended('rummyd migrations', 0))", 0};
static const struct db_stmt unlock_stmt = {
    "migrate_unlock", "SELECT pg_advisory_unlock(hashtextextended('rummyd migrations', 0))", 0};
static const struct db_stmt encoding_stmt = {"migrate_encoding", "SHOW server_encoding", 0};
static const struct db_stmt made_stmt = {
    "migrate_made",
    "SELECT to_regclass('schema_state') IS NOT NULL, to_regclass('schema_migrations') IS NOT NULL", 0};
static const struct db_stmt state_stmt = {"migrate_state", "SELECT base, code FROM schema_state", 0};
static const struct db_stmt list_stmt = {
    "migrate_list", "SELECT version, name, checksum FROM schema_migrations ORDER BY version", 0};
static const struct db_stmt note_stmt = {
    "migrate_note", "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)", 3};
static const struct db_stmt done_stmt = {
    "migrate_done", "UPDATE schema_state SET base = $1, code = $2, applied_at = now()", 2};

/* What the database has, beside what the source has. */
struct state {
    bool empty;       /* nothing of ours is there */
    bool base_same;   /* schema.sql is the one it is equal to */
    bool base_moving; /* migrations have led away from the one it was equal to */
    bool code_same;
    bool granted;        /* the roles have what the source grants them */
    size_t migrations_n; /* of the source's, the first ones */
};

/* A transaction's argument. */
struct step {
    const struct db_source *source;
    const struct db_roles *roles;
    const struct embed_file *migration;
};

static int version_of(const struct embed_file *file)
{
    char *end = NULL;
    long version = strtol(file->name, &end, 10);
    ASSERT(end != file->name && *end == '-' && version > 0 && version < 100000);
    return (int)version;
}

static void checksum_of(uint8_t sum[DB_SUM_BYTES], const struct embed_file *file)
{
    crypto_hash_sha256(sum, (const unsigned char *)file->data, file->len);
}

static bool refuse_database(struct db_error *err, const char *why)
{
    *err = (struct db_error){.outcome = DB_FAILED};
    (void)snprintf(err->text, sizeof err->text, "%s", why);
    return false;
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
    return refuse_database(err, "the database must have the encoding UTF8 on PostgreSQL 15 or newer");
}

/* Whether row `row` of what is applied is the file we know under that number. */
static bool known(const PGresult *res, int row, const struct embed_file *files, size_t n,
                  struct db_error *err)
{
    const char *name = PQgetvalue(res, row, 1);
    uint8_t sum[DB_SUM_BYTES];
    uint8_t stored[DB_SUM_BYTES];
    if ((size_t)row >= n)
        return refuse(err, name,
                      "is newer than this program; run the program that applied it, or a newer one");
    if (db_i64(res, row, 0) != version_of(&files[row]) || strcmp(name, files[row].name) != 0)
        return refuse(err, name, "stands in the database where this program has another one");
    checksum_of(sum, &files[row]);
    if (db_bytes(res, row, 2, stored, sizeof stored) != DB_SUM_BYTES ||
        memcmp(sum, stored, DB_SUM_BYTES) != 0)
        return refuse(err, name, "was changed after it was applied to this database");
    return true;
}

/* How many of the source's migrations the database has; -1 and *err when they are not the first ones of ours.
 */
static int count_applied(struct db_conn *conn, const struct db_source *source, struct db_error *err)
{
    DB_AUTO PGresult *res = db_run(conn, &list_stmt, NULL, err);
    if (!res)
        return -1;
    for (int row = 0; row < PQntuples(res); row++) {
        if (!known(res, row, source->migrations, source->migrations_n, err))
            return -1;
    }
    return PQntuples(res);
}

static bool same_sum(const PGresult *res, int col, const uint8_t sum[DB_SUM_BYTES])
{
    uint8_t stored[DB_SUM_BYTES];
    return db_bytes(res, 0, col, stored, sizeof stored) == DB_SUM_BYTES &&
           memcmp(stored, sum, sizeof stored) == 0;
}

static bool read_state(struct db_conn *conn, const struct db_source *source, struct state *state,
                       struct db_error *err)
{
    uint8_t base[DB_SUM_BYTES];
    uint8_t code[DB_SUM_BYTES];
    *state = (struct state){0};
    DB_AUTO PGresult *made = db_run(conn, &made_stmt, NULL, err);
    if (!made)
        return false;
    if (!db_bool(made, 0, 0)) {
        state->empty = !db_bool(made, 0, 1);
        return state->empty ||
               refuse_database(err, "the database was made before the first release, and nothing "
                                    "leads from there to this schema: begin with an empty one");
    }
    DB_AUTO PGresult *res = db_run(conn, &state_stmt, NULL, err);
    if (!res && strcmp(err->sqlstate, "42501") == 0)
        return refuse_database(err, "the database grants nothing to this role; `rummyd migrate` as its owner "
                                    "does (docs/operations.md)");
    if (!res)
        return false;
    if (PQntuples(res) != 1)
        return refuse_database(err, "schema_state does not say what this database was made of");
    int have = count_applied(conn, source, err);
    if (have < 0)
        return false;
    db_base_sum(base, source);
    db_code_sum(code, source);
    state->base_same = same_sum(res, 0, base);
    state->base_moving = PQgetlength(res, 0, 0) == strlen("\\x");
    state->code_same = same_sum(res, 1, code);
    state->migrations_n = (size_t)have;
    if (state->migrations_n == source->migrations_n && !state->base_same && !state->base_moving)
        return refuse_database(err,
                               "the database was made from another schema.sql, and no migration leads from "
                               "there to this one: begin with an empty one");
    return true;
}

static bool note_migration(struct db_conn *conn, const struct embed_file *file, struct db_error *err)
{
    uint8_t sum[DB_SUM_BYTES];
    char mem[512];
    struct db_args args;
    checksum_of(sum, file);
    db_args_init(&args, mem, sizeof mem);
    db_args_int(&args, version_of(file));
    db_args_text(&args, file->name);
    db_args_bytes(&args, sum, sizeof sum);
    DB_AUTO PGresult *res = db_run(conn, &note_stmt, &args, err);
    return res != NULL;
}

static bool note_done(struct db_conn *conn, const struct db_source *source, struct db_error *err)
{
    uint8_t sum[DB_SUM_BYTES];
    char mem[512];
    struct db_args args;
    db_args_init(&args, mem, sizeof mem);
    db_base_sum(sum, source);
    db_args_bytes(&args, sum, sizeof sum);
    db_code_sum(sum, source);
    db_args_bytes(&args, sum, sizeof sum);
    DB_AUTO PGresult *res = db_run(conn, &done_stmt, &args, err);
    return res != NULL;
}

/* ---- Transactions --------------------------------------------------------------------------------- */

static bool give_grants(struct db_conn *conn, void *arg, struct db_error *err)
{
    const struct step *step = arg;
    const struct embed_file *grants = step->source->grants;
    return !grants || db_grants_apply(conn, grants, step->roles, err) || db_code_failed(err, grants->name);
}

/* What comes behind the functions; schema_state says so when it is done. */
static bool finish_code(struct db_conn *conn, struct step *step, struct db_error *err)
{
    return db_code_apply_data(conn, step->source, err) && give_grants(conn, step, err) &&
           note_done(conn, step->source, err);
}

/* Functions name tables, and triggers name functions. Data comes behind, and is let through by the triggers.
 */
static bool create(struct db_conn *conn, void *arg, struct db_error *err)
{
    const struct db_source *source = ((const struct step *)arg)->source;
    const char *triggers = strstr(source->schema->data, DB_TRIGGERS_MARK);
    char *tables = triggers ? strndup(source->schema->data, (size_t)(triggers - source->schema->data)) : NULL;
    ASSERT(tables != NULL);
    bool done = db_script(conn, tables, err) || db_code_failed(err, source->schema->name);
    free(tables);
    if (!done || !db_script(conn, "INSERT INTO schema_state DEFAULT VALUES", err) ||
        !db_code_apply_functions(conn, source, err))
        return false;
    if (!db_script(conn, triggers, err))
        return db_code_failed(err, source->schema->name);
    for (size_t i = 0; i < source->migrations_n; i++) {
        if (!note_migration(conn, &source->migrations[i], err))
            return false;
    }
    return finish_code(conn, arg, err);
}

static bool migrate_once(struct db_conn *conn, void *arg, struct db_error *err)
{
    const struct step *step = arg;
    return db_script(conn, step->migration->data, err) && note_migration(conn, step->migration, err) &&
           db_script(conn, "UPDATE schema_state SET base = ''", err);
}

static bool apply_code(struct db_conn *conn, void *arg, struct db_error *err)
{
    struct step *step = arg;
    return db_code_apply_functions(conn, step->source, err) && finish_code(conn, step, err);
}

/* ---- Order ---------------------------------------------------------------------------------------- */

static bool apply_migrations(struct db_conn *conn, const struct db_source *source, size_t have,
                             struct db_migrated *done, struct db_error *err)
{
    for (size_t i = have; i < source->migrations_n; i++) {
        ASSERT(i == 0 || version_of(&source->migrations[i]) > version_of(&source->migrations[i - 1]));
        struct step step = {.source = source, .migration = &source->migrations[i]};
        if (!db_tx_run(conn, NULL, migrate_once, &step, err)) {
            char name[100];
            (void)snprintf(name, sizeof name, "migration %.80s", step.migration->name);
            return db_code_failed(err, name);
        }
        log_info("migrated", LOG_TEXT("migration", step.migration->name));
        done->migrations += 1;
    }
    return true;
}

static bool bring_up(struct db_conn *conn, const struct step *step, struct db_migrated *done,
                     struct db_error *err)
{
    struct state state;
    struct step whole = *step;
    if (!read_state(conn, step->source, &state, err))
        return false;
    state.granted = !step->source->grants;
    if (!state.granted && !db_grants_given(conn, step->roles, &state.granted, err))
        return false;
    bool same = !state.empty && state.code_same && !state.base_moving &&
                state.migrations_n == step->source->migrations_n;
    if (same && state.granted)
        return true;
    if (step->source->grants && !db_grants_roles_fit(conn, step->roles, err))
        return false;
    if (state.empty) {
        done->created = done->code = db_tx_run(conn, NULL, create, &whole, err);
        return done->created;
    }
    if (same)
        return db_tx_run(conn, NULL, give_grants, &whole, err);
    if (!apply_migrations(conn, step->source, state.migrations_n, done, err))
        return false;
    done->code = db_tx_run(conn, NULL, apply_code, &whole, err);
    return done->code;
}

bool db_migrate_from(struct db_conn *conn, const struct db_source *source, const struct db_roles *roles,
                     struct db_migrated *done, struct db_error *err)
{
    struct db_migrated did = {0};
    const struct step step = {.source = source, .roles = roles};
    *err = (struct db_error){0};
    ASSERT(roles || !source->grants);
    if (!fit_server(conn, err) || !db_script(conn, "SET lock_timeout = '60s'", err))
        return false;
    DB_AUTO PGresult *lock = db_run(conn, &lock_stmt, NULL, err);
    if (!lock) {
        if (strcmp(err->sqlstate, "55P03") == 0)
            (void)snprintf(err->text, sizeof err->text,
                           "another process has been migrating this database for a minute");
        return false;
    }
    bool good = bring_up(conn, &step, &did, err);
    struct db_error ignored;
    DB_AUTO PGresult *unlock = db_run(conn, &unlock_stmt, NULL, &ignored);
    (void)unlock; /* only to be freed */
    (void)db_script(conn, "RESET lock_timeout", &ignored);
    if (done)
        *done = did;
    return good;
}

const struct db_source *db_migrate_source(void)
{
    static struct db_source source;
    source = (struct db_source){.schema = db_schema_sql,
                                .functions = db_functions,
                                .functions_n = db_functions_n,
                                .data = db_data,
                                .data_n = db_data_n,
                                .migrations = db_migrations,
                                .migrations_n = db_migrations_n,
                                .grants = db_grants_sql};
    return &source;
}

bool db_migrate(struct db_conn *conn, const struct db_roles *roles, struct db_migrated *done,
                struct db_error *err)
{
    return db_migrate_from(conn, db_migrate_source(), roles, done, err);
}

enum db_schema db_schema_state(struct db_conn *conn, struct db_error *err)
{
    const struct db_source *source = db_migrate_source();
    struct state state;
    if (!read_state(conn, source, &state, err))
        return DB_SCHEMA_UNKNOWN;
    bool same =
        !state.empty && state.base_same && state.code_same && state.migrations_n == source->migrations_n;
    return same ? DB_SCHEMA_OK : DB_SCHEMA_BEHIND;
}
