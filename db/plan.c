/* What an upgrade would do; see plan.h. Main thread. */
#include "db/plan.h"

#include "base/bug.h"
#include "db/schema_code.h"

#include <stdlib.h>
#include <string.h>

/* Bytes per second that a statement reads or rewrites on a slow disk. */
enum { SCAN_BYTES_S = 50 * 1000 * 1000, NAME_CAP = 128 };

/* Without comments, bodies, and literals, so that the rest can be split at semicolons. The first quantifier
 * of a regular expression decides whether it is greedy. */
#define STATEMENTS                                                                                           \
    "statements AS (SELECT n, btrim(regexp_replace(s, '\\s+', ' ', 'g')) AS s FROM regexp_split_to_table("   \
    "regexp_replace(regexp_replace(regexp_replace($1, '--[^\\n]*', '', 'g'), '\\$(\\w*?)\\$.*?\\$\\1\\$',"   \
    " '''''', 'g'), '''[^'']*''', '''''', 'g'), ';') WITH ORDINALITY AS p (s, n) WHERE s ~ '\\S')"

#define NAME_OF "(?:public\\.)?\"?(\\w+)"

/* The lock that each kind of statement takes on the table it names; '' : none that anyone waits for. */
#define RULES                                                                                                \
    "rules (pattern, lock) AS (VALUES"                                                                       \
    " ('^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?" NAME_OF "(?!.* VALIDATE CONSTRAINT )', 'ACCESS EXCLUSIVE')," \
    " ('^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?" NAME_OF " VALIDATE CONSTRAINT ',"                            \
    "  'SHARE UPDATE EXCLUSIVE'),"                                                                           \
    " ('^DROP TABLE (?:IF EXISTS )?" NAME_OF "', 'ACCESS EXCLUSIVE'),"                                       \
    " ('^TRUNCATE (?:TABLE )?(?:ONLY )?" NAME_OF "', 'ACCESS EXCLUSIVE'),"                                   \
    " ('^LOCK (?:TABLE )?(?:ONLY )?" NAME_OF "', 'ACCESS EXCLUSIVE'),"                                       \
    " ('^DROP TRIGGER (?:IF EXISTS )?\\w+ ON " NAME_OF "', 'ACCESS EXCLUSIVE'),"                             \
    " ('^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .* ON " NAME_OF "', 'SHARE ROW EXCLUSIVE'),"         \
    " ('\\mREFERENCES " NAME_OF "', 'SHARE ROW EXCLUSIVE'),"                                                 \
    " ('^CREATE (?:UNIQUE )?INDEX .*?\\mON (?:ONLY )?" NAME_OF "', 'SHARE'),"                                \
    " ('^UPDATE (?:ONLY )?" NAME_OF "', 'ROW EXCLUSIVE'),"                                                   \
    " ('^INSERT INTO " NAME_OF "', 'ROW EXCLUSIVE'),"                                                        \
    " ('^DELETE FROM (?:ONLY )?" NAME_OF "', 'ROW EXCLUSIVE'),"                                              \
    " ('^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?" NAME_OF "', ''),"                                   \
    " ('^CREATE (?:TYPE|SEQUENCE|DOMAIN|SCHEMA) " NAME_OF "', ''),"                                          \
    " ('^DROP (?:FUNCTION|ROUTINE) (?:IF EXISTS )?" NAME_OF "', ''),"                                        \
    " ('^(?:SELECT|SET|COMMENT ON|GRANT|REVOKE) " NAME_OF "', ''))"

/* One row per lock on an existing table, in the order of the statements; then those that no rule covers. */
static const struct db_stmt locks_stmt = {
    "plan_locks",
    "WITH " STATEMENTS ", " RULES ","
    " found AS (SELECT s.n, m[1] AS relation, r.lock FROM statements s, rules r,"
    "  regexp_matches(s.s, r.pattern, 'gi') AS m),"
    " locks AS (SELECT min(n) AS n, to_regclass(quote_ident(lower(relation))) AS relation, lock FROM found"
    "  WHERE lock <> '' AND to_regclass(quote_ident(lower(relation))) IS NOT NULL GROUP BY 2, 3)"
    "SELECT l.lock, l.relation::text, z.rows, z.bytes FROM locks l, LATERAL (SELECT"
    "  sum(greatest(c.reltuples, 0))::bigint AS rows, sum(pg_total_relation_size(c.oid))::bigint AS bytes"
    "  FROM pg_class c WHERE c.oid = l.relation OR c.oid IN (SELECT relid FROM "
    "pg_partition_tree(l.relation)))"
    " z (rows, bytes) WHERE true "
    "UNION ALL SELECT NULL, left(s, 60), 0, 0 FROM statements"
    " WHERE n NOT IN (SELECT n FROM found)",
    1};

static const struct db_stmt function_stmt = {
    "plan_function",
    "SELECT count(*) > 0, coalesce(bool_or(prosrc = $2), false) FROM pg_proc"
    " WHERE pronamespace = 'public'::regnamespace AND proname = $1",
    2};
static const struct db_stmt made_stmt = {"plan_made", "SELECT unnest(functions) FROM schema_state", 0};

struct counts {
    int added, changed, removed;
};

/* ---- Migrations ----------------------------------------------------------------------------------- */

static bool show_migration(struct db_conn *conn, const struct embed_file *file, FILE *out,
                           struct db_error *err)
{
    struct db_args args;
    char *mem = malloc(file->len + 1);
    ASSERT(mem != NULL);
    db_args_init(&args, mem, file->len + 1);
    db_args_text_n(&args, file->data, file->len);
    DB_AUTO PGresult *res = db_run(conn, &locks_stmt, &args, err);
    free(mem);
    if (!res)
        return false;
    (void)fprintf(out, "migration %s\n", file->name);
    for (int row = 0; row < PQntuples(res); row++) {
        const char *lock = db_text(res, row, 0);
        int64_t bytes = db_i64(res, row, 3);
        if (!lock)
            (void)fprintf(out, "  not analyzed: %s\n", db_text(res, row, 1));
        else
            (void)fprintf(out, "  lock %s on %s: %lld rows, %lld kB, at most %lld s\n", lock,
                          db_text(res, row, 1), (long long)db_i64(res, row, 2), (long long)(bytes / 1000),
                          (long long)(bytes / SCAN_BYTES_S + 1));
    }
    return true;
}

/* ---- Functions ------------------------------------------------------------------------------------ */

static const char definition[] = "CREATE OR REPLACE FUNCTION ";

/* The next definition at or after `at`: its name, and its body between two $$. NULL: there is none. */
static const char *next_function(const char *at, char name[NAME_CAP], const char **body, size_t *body_n)
{
    static const char mark[] = "$$";
    const char *begin = strstr(at, definition);
    if (!begin)
        return NULL;
    begin += strlen(definition);
    size_t n = strcspn(begin, "(");
    ASSERT(n > 0 && n < NAME_CAP);
    memcpy(name, begin, n);
    name[n] = '\0';
    const char *open = strstr(begin, mark);
    const char *close = open ? strstr(open + strlen(mark), mark) : NULL;
    if (!close)
        return NULL;
    *body = open + strlen(mark);
    *body_n = (size_t)(close - *body);
    return close + strlen(mark);
}

static bool show_function(struct db_conn *conn, const char *name, const char *body, size_t body_n,
                          struct counts *counts, FILE *out, struct db_error *err)
{
    struct db_args args;
    size_t cap = body_n + NAME_CAP + 1;
    char *mem = malloc(cap);
    ASSERT(mem != NULL);
    db_args_init(&args, mem, cap);
    db_args_text(&args, name);
    db_args_text_n(&args, body, body_n);
    DB_AUTO PGresult *res = db_run(conn, &function_stmt, &args, err);
    free(mem);
    if (!res)
        return false;
    if (!db_bool(res, 0, 0)) {
        counts->added += 1;
        (void)fprintf(out, "  new function %s\n", name);
    } else if (!db_bool(res, 0, 1)) {
        counts->changed += 1;
        (void)fprintf(out, "  changed function %s\n", name);
    }
    return true;
}

static bool in_source(const struct db_source *source, const char *signature)
{
    char words[sizeof definition + NAME_CAP];
    (void)snprintf(words, sizeof words, "%s%.*s(", definition, (int)strcspn(signature, "("), signature);
    for (size_t i = 0; i < source->functions_n; i++) {
        if (strstr(source->functions[i].data, words))
            return true;
    }
    return false;
}

static bool show_functions(struct db_conn *conn, const struct db_source *source, FILE *out,
                           struct db_error *err)
{
    struct counts counts = {0};
    for (size_t i = 0; i < source->functions_n; i++) {
        char name[NAME_CAP];
        const char *body = NULL;
        size_t body_n = 0;
        for (const char *at = source->functions[i].data;
             (at = next_function(at, name, &body, &body_n)) != NULL;) {
            if (!show_function(conn, name, body, body_n, &counts, out, err))
                return false;
        }
    }
    DB_AUTO PGresult *made = db_run(conn, &made_stmt, NULL, err);
    if (!made)
        return false;
    for (int row = 0; row < PQntuples(made); row++) {
        if (!in_source(source, db_text(made, row, 0))) {
            counts.removed += 1;
            (void)fprintf(out, "  removed function %s\n", db_text(made, row, 0));
        }
    }
    (void)fprintf(
        out,
        "functions: %d new, %d changed, %d removed; all are replaced in one transaction, which locks "
        "no table of players\n",
        counts.added, counts.changed, counts.removed);
    return true;
}

/* ---- Plan ----------------------------------------------------------------------------------------- */

struct call {
    const struct db_source *source;
    FILE *out;
};

static bool show(struct db_conn *conn, void *arg, struct db_error *err)
{
    const struct call *call = arg;
    struct db_pending pending;
    if (!db_migrate_pending(conn, call->source, &pending, err))
        return false;
    if (pending.create) {
        (void)fprintf(call->out, "the database is empty: migrate would create it\n");
        return true;
    }
    for (size_t i = pending.have; i < call->source->migrations_n; i++) {
        if (!show_migration(conn, &call->source->migrations[i], call->out, err))
            return false;
    }
    if (pending.code && !show_functions(conn, call->source, call->out, err))
        return false;
    (void)fprintf(call->out,
                  pending.code || pending.have < call->source->migrations_n
                      ? "pending: %zu migrations; nothing was changed\n"
                      : "pending: %zu migrations; the database is up to date\n",
                  call->source->migrations_n - pending.have);
    return true;
}

bool db_migrate_plan(struct db_conn *conn, const struct db_source *source, FILE *out, struct db_error *err)
{
    struct call call = {source, out};
    *err = (struct db_error){0};
    return db_script(conn, "BEGIN READ ONLY", err) && show(conn, &call, err) &&
           db_script(conn, "ROLLBACK", err);
}
