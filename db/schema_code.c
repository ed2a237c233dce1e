/* Applies db/functions and db/data. Replacing a function keeps its identity, so that a running server's
 * prepared statements remain valid; dropping it would break them. To find which functions must be dropped, or
 * cannot be replaced because their return type has changed, all functions are first created in a separate
 * schema. */
#include "db/schema_code.h"

#include "base/bug.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A function may reference another one defined later: check_sql checks bodies at the end. */
static const char stage_sql[] = "SET LOCAL client_min_messages = warning;"
                                "SET LOCAL check_function_bodies = off;"
                                "CREATE SCHEMA rummyd_staged;"
                                "SET LOCAL search_path = rummyd_staged, public;";

/* Functions that schema_state lists as ours and that no longer exist in the same form. */
static const char drop_sql[] =
    "SET LOCAL search_path = public;"
    "DO $$ DECLARE f regprocedure; BEGIN"
    " FOR f IN SELECT o.oid FROM schema_state s, unnest(s.functions) AS l (signature)"
    "  JOIN pg_proc o ON o.oid = to_regprocedure(l.signature)"
    "  WHERE NOT EXISTS (SELECT FROM pg_proc n WHERE n.pronamespace = 'rummyd_staged'::regnamespace"
    "   AND (n.proname, n.proargtypes, n.prokind, n.prorettype, n.proretset)"
    "     = (o.proname, o.proargtypes, o.prokind, o.prorettype, o.proretset)"
    "   AND (n.proallargtypes, n.proargmodes, n.proargnames)"
    "     IS NOT DISTINCT FROM (o.proallargtypes, o.proargmodes, o.proargnames)"
    "   AND n.pronargdefaults >= o.pronargdefaults)"
    " LOOP EXECUTE 'DROP ROUTINE ' || f; END LOOP;"
    "END $$;";

static const char check_sql[] =
    "CREATE TEMP TABLE rummyd_made ON COMMIT DROP AS SELECT p.oid, l.lanname FROM pg_proc p"
    " JOIN pg_language l ON l.oid = p.prolang JOIN pg_proc n USING (proname, proargtypes)"
    " WHERE p.pronamespace = 'public'::regnamespace AND n.pronamespace = 'rummyd_staged'::regnamespace;"
    "DROP SCHEMA rummyd_staged CASCADE;"
    "SET LOCAL check_function_bodies = on;"
    "DO $$ BEGIN"
    " PERFORM plpgsql_validator(oid) FROM rummyd_made WHERE lanname = 'plpgsql';"
    " PERFORM fmgr_sql_validator(oid) FROM rummyd_made WHERE lanname = 'sql';"
    "END $$;"
    "UPDATE schema_state SET functions = ARRAY(SELECT oid::regprocedure::text FROM rummyd_made ORDER BY 1);"
    "DROP TABLE rummyd_made;"
    "SET LOCAL search_path TO DEFAULT;";

static void add_files(crypto_hash_sha256_state *state, const struct embed_file *files, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crypto_hash_sha256_update(state, (const unsigned char *)files[i].name, strlen(files[i].name) + 1);
        crypto_hash_sha256_update(state, (const unsigned char *)files[i].data, files[i].len + 1);
    }
}

void db_code_sum(uint8_t sum[DB_SUM_BYTES], const struct db_source *source)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    add_files(&state, source->functions, source->functions_n);
    add_files(&state, source->data, source->data_n);
    add_files(&state, source->grants, source->grants ? 1 : 0);
    crypto_hash_sha256_final(&state, sum);
}

void db_base_sum(uint8_t sum[DB_SUM_BYTES], const struct db_source *source)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (const char *at = source->schema->data; *at;) {
        size_t word = strcspn(at, " \t\n");
        if (strncmp(at, "--", 2) == 0) {
            at += strcspn(at, "\n");
        } else if (word > 0) {
            crypto_hash_sha256_update(&state, (const unsigned char *)at, word);
            crypto_hash_sha256_update(&state, (const unsigned char *)" ", 1);
            at += word;
        } else {
            at++;
        }
    }
    crypto_hash_sha256_final(&state, sum);
}

bool db_code_failed(struct db_error *err, const char *name)
{
    struct db_error why = *err;
    (void)snprintf(err->text, sizeof err->text, "%.80s failed: %.300s", name, why.text);
    return false;
}

static bool run_files(struct db_conn *conn, const struct embed_file *files, size_t n, struct db_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!db_script(conn, files[i].data, err))
            return db_code_failed(err, files[i].name);
    }
    return true;
}

bool db_code_apply_functions(struct db_conn *conn, const struct db_source *source, struct db_error *err)
{
    return db_script(conn, stage_sql, err) && run_files(conn, source->functions, source->functions_n, err) &&
           db_script(conn, drop_sql, err) && run_files(conn, source->functions, source->functions_n, err) &&
           db_script(conn, check_sql, err);
}

bool db_code_apply_data(struct db_conn *conn, const struct db_source *source, struct db_error *err)
{
    return run_files(conn, source->data, source->data_n, err);
}
