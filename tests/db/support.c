/* Databases for the tests of db/. */
#include "tests/db/support.h"

#include "base/log.h"
#include "db/migrate.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const struct db_roles test_roles = {"rummyd", "rummyd_read"};

static char name[64];
static char conninfo[512];

static const char *server(void)
{
    const char *given = getenv("RUMMY_TEST_DB");
    cr_assert(given && *given,
              "RUMMY_TEST_DB must name a PostgreSQL server: scripts/pg with DIR make test-unit");
    return given;
}

struct db_conn *test_connect(const char *where)
{
    struct db_error err = {0};
    struct db_conn *conn = db_open(where, &err);
    cr_assert(conn, "%s", err.text);
    return conn;
}

void test_script(struct db_conn *conn, const char *sql)
{
    struct db_error err = {0};
    cr_assert(db_script(conn, sql, &err), "%s: %s", sql, err.text);
}

const char *test_value(struct db_conn *conn, const char *sql)
{
    static char value[512];
    PGresult *res = PQexec(db_handle(conn), sql);
    cr_assert_eq(PQresultStatus(res), PGRES_TUPLES_OK, "%s: %s", sql, PQresultErrorMessage(res));
    (void)snprintf(value, sizeof value, "%s", PQntuples(res) > 0 ? PQgetvalue(res, 0, 0) : "");
    PQclear(res);
    return value;
}

const char *test_database(void)
{
    char sql[128];
    log_level_set(LOG_ERROR);
    struct db_conn *conn = test_connect(server());
    (void)snprintf(name, sizeof name, "ctest_%d", (int)getpid());
    (void)snprintf(sql, sizeof sql, "CREATE DATABASE %s", name);
    test_script(conn, sql);
    db_close(conn);
    (void)snprintf(conninfo, sizeof conninfo, "%s dbname=%s", server(), name);
    return conninfo;
}

const char *test_database_migrated(void)
{
    struct db_error err = {0};
    struct db_conn *conn = test_connect(test_database());
    cr_assert(db_migrate(conn, &test_roles, NULL, &err), "%s", err.text);
    db_close(conn);
    return conninfo;
}

void test_database_drop(void)
{
    char sql[128];
    struct db_conn *conn = test_connect(server());
    (void)snprintf(sql, sizeof sql, "DROP DATABASE IF EXISTS %s WITH (FORCE)", name);
    test_script(conn, sql);
    db_close(conn);
}
