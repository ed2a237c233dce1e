/* Applies db/grants.sql to the roles of a database, and detects a server role with excess privileges. */
#include "db/grants.h"

#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct db_stmt roles_stmt = {
    "grants_roles",
    "SELECT current_user, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),"
    " (SELECT string_agg(name, ', ') FROM unnest(ARRAY[$1::text, $2::text]) name"
    "  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)),"
    " (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('schema_state'))",
    2};
/* A grant that exists in each of our databases. */
static const struct db_stmt given_stmt = {
    "grants_given",
    "SELECT count(*) = 2 FROM pg_roles WHERE rolname IN ($1, $2)"
    " AND has_table_privilege(oid, to_regclass('schema_state'), 'SELECT')",
    2};
static const struct db_stmt excess_stmt = {
    "grants_excess",
    "SELECT what FROM pg_roles me, LATERAL (VALUES"
    " (1, 'is a superuser', rolsuper),"
    " (2, 'may make roles', rolcreaterole),"
    " (3, 'owns the tables', EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('accounts')"
    "   AND pg_has_role(me.oid, relowner, 'MEMBER'))),"
    " (4, 'may write tables', EXISTS (SELECT FROM pg_class"
    "   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
    "   AND has_table_privilege(me.oid, oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER'))),"
    " (5, 'may make tables', has_schema_privilege(me.oid, 'public', 'CREATE')),"
    " (6, 'may make temporary tables', has_database_privilege(me.oid, current_database(), 'TEMPORARY')),"
    /* Triggers and foreign keys would be off. Only a superuser can set it, so the session cannot reset it. */
    " (7, 'runs with session_replication_role = replica',"
    "   current_setting('session_replication_role') = 'replica'))"
    " x (n, what, yes) WHERE rolname = current_user AND yes ORDER BY n LIMIT 1",
    0};

/* The three texts form one sentence. */
static bool refuse(struct db_error *err, const char *before, const char *name, const char *after)
{
    *err = (struct db_error){.outcome = DB_FAILED};
    (void)snprintf(err->text, sizeof err->text, "%s%.130s%s", before, name, after);
    return false;
}

bool db_role_name_ok(const char *name)
{
    size_t len = strlen(name);
    return len > 0 && len <= DB_ROLE_MAX && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == len &&
           !(name[0] >= '0' && name[0] <= '9');
}

/* stmt has two parameters: the names of the roles. */
static PGresult *query_roles(struct db_conn *conn, const struct db_stmt *stmt, const struct db_roles *roles,
                             struct db_error *err)
{
    char mem[2 * DB_ROLE_MAX + 64];
    struct db_args args;
    ASSERT(db_role_name_ok(roles->server) && db_role_name_ok(roles->read));
    db_args_init(&args, mem, sizeof mem);
    db_args_text(&args, roles->server);
    db_args_text(&args, roles->read);
    return db_run(conn, stmt, &args, err);
}

bool db_grants_roles_fit(struct db_conn *conn, const struct db_roles *roles, struct db_error *err)
{
    DB_AUTO PGresult *res = query_roles(conn, &roles_stmt, roles, err);
    if (!res)
        return false;
    const char *me = PQgetvalue(res, 0, 0), *missing = db_text(res, 0, 2), *owner = db_text(res, 0, 3);
    if (missing)
        return refuse(err, "db/roles.sql has to make roles first, there is no ", missing,
                      " (docs/operations.md)");
    if (owner && strcmp(owner, me) != 0)
        return refuse(err, "the database belongs to the role ", owner,
                      ", which alone can bring it up to date");
    if (db_bool(res, 0, 1))
        return refuse(err, "functions act with the rights of their owner, and ", me,
                      " is a superuser: migrate as the role that is to own the database");
    if (strcmp(me, roles->server) == 0 || strcmp(me, roles->read) == 0)
        return refuse(err, "the role ", me,
                      " is not to own the database: migrate as the one that is (docs/operations.md)");
    if (strcmp(roles->server, roles->read) == 0)
        return refuse(err, "the role ", roles->read, " cannot be both the server's and the readers' role");
    return true;
}

bool db_grants_given(struct db_conn *conn, const struct db_roles *roles, bool *given, struct db_error *err)
{
    DB_AUTO PGresult *res = query_roles(conn, &given_stmt, roles, err);
    if (res)
        *given = db_bool(res, 0, 0);
    return res != NULL;
}

/* The file with the names filled in; the caller frees it. NULL: out of memory. */
static char *with_names(const char *text, const struct db_roles *roles)
{
    static const char server[] = ":server", read[] = ":read";
    char *out = NULL;
    size_t len = 0;
    FILE *made = open_memstream(&out, &len);
    if (!made)
        return NULL;
    while (*text) {
        if (strncmp(text, server, sizeof server - 1) == 0) {
            (void)fputs(roles->server, made);
            text += sizeof server - 1;
        } else if (strncmp(text, read, sizeof read - 1) == 0) {
            (void)fputs(roles->read, made);
            text += sizeof read - 1;
        } else {
            (void)fputc(*text++, made);
        }
    }
    return fclose(made) == 0 ? out : NULL;
}

bool db_grants_apply(struct db_conn *conn, const struct embed_file *file, const struct db_roles *roles,
                     struct db_error *err)
{
    ASSERT(db_role_name_ok(roles->server) && db_role_name_ok(roles->read));
    char *sql = with_names(file->data, roles);
    if (!sql)
        return refuse(err, "", file->name, ": out of memory");
    bool done = db_script(conn, sql, err);
    free(sql);
    return done;
}

bool db_grants_excess(struct db_conn *conn, char *text, size_t cap, struct db_error *err)
{
    DB_AUTO PGresult *res = db_run(conn, &excess_stmt, NULL, err);
    if (!res)
        return false;
    text[0] = '\0';
    if (PQntuples(res) > 0)
        (void)snprintf(text, cap, "the role %s %s", PQuser(db_handle(conn)), PQgetvalue(res, 0, 0));
    return true;
}
