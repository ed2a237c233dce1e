/* Creating, upgrading, and rejecting a database, on a real server. */
#include "base/bug.h"
#include "db/ledger_check.h"
#include "db/migrate.h"
#include "tests/db/support.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(migrate, .fini = test_database_drop);

#define FILE_OF(name, sql) INIT((name), (sql), sizeof(sql) - 1)

/* The tests' own database: the bookkeeping tables of schema.sql, and one more. */
static char made_sql[4000];
static struct embed_file made = {"schema.sql", made_sql, 0};

#define NOTED                                                                                                \
    FILE_OF("noted.sql", "CREATE OR REPLACE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS"            \
                         " 'BEGIN NEW.noted := first(); RETURN NEW; END';")

static const struct embed_file functions[] = {
    FILE_OF("second.sql",
            "CREATE OR REPLACE FUNCTION second() RETURNS integer LANGUAGE sql AS 'SELECT first() + 1';"),
    FILE_OF("first.sql", "CREATE OR REPLACE FUNCTION first() RETURNS integer LANGUAGE sql AS 'SELECT 1';"),
    NOTED};
static const struct embed_file data[] = {
    FILE_OF("1-a.sql", "INSERT INTO a (n) VALUES (1) ON CONFLICT DO NOTHING;"),
    FILE_OF("2-a.sql", "INSERT INTO a (n) SELECT 9 WHERE (SELECT code = '' FROM schema_state);")};
static const struct embed_file steps[] = {
    FILE_OF("0001-b.sql", "CREATE TABLE b (n integer); INSERT INTO b VALUES (7);"),
    FILE_OF("0002-c.sql", "CREATE TABLE c (n integer);"),
    FILE_OF("0003-d.sql", "CREATE TABLE d (n integer);")};

/* tables: the part added to schema.sql. */
static struct db_source source_of(const char *tables, size_t steps_n)
{
    const char *own = db_migrate_source()->schema->data;
    const char *end = strstr(own, "\n-- ==== Settings");
    cr_assert(end != NULL);
    made.len =
        (size_t)snprintf(made_sql, sizeof made_sql,
                         "%.*sCREATE TABLE a (n integer PRIMARY KEY, noted integer); %s" DB_TRIGGERS_MARK
                         "\nCREATE TRIGGER noted BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION noted();",
                         (int)(end - own), own, tables);
    cr_assert_lt(made.len, sizeof made_sql);
    return (struct db_source){&made, functions, 3, data, 2, steps, steps_n, NULL};
}

static struct db_migrated migrated(struct db_conn *conn, const struct db_source *source)
{
    struct db_error err = {0};
    struct db_migrated done = {0};
    cr_assert(db_migrate_from(conn, source, &test_roles, &done, &err), "%s", err.text);
    return done;
}

static void refused(struct db_conn *conn, const struct db_source *source, const char *why)
{
    struct db_error err = {0};
    cr_assert_not(db_migrate_from(conn, source, &test_roles, NULL, &err));
    cr_assert(strstr(err.text, why) == err.text, "%s", err.text);
}

Test(migrate, sets_up_an_empty_database_from_the_whole_source)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("CREATE TABLE b (n integer);", 1);
    struct db_migrated done = migrated(conn, &source);
    cr_assert(done.created && done.code && done.migrations == 0);
    cr_assert_str_eq(test_value(conn, "SELECT second()"), "2");
    cr_assert_str_eq(test_value(conn, "SELECT string_agg(n || ' ' || noted, ', ' ORDER BY n) FROM a"),
                     "1 1, 9 1");
    cr_assert_str_eq(test_value(conn, "SELECT string_agg(name, ' ') FROM schema_migrations"), "0001-b.sql");
    cr_assert_str_eq(test_value(conn, "SELECT functions FROM schema_state"), "{first(),noted(),second()}");
    done = migrated(conn, &source);
    cr_assert(!done.created && !done.code && done.migrations == 0);
    db_close(conn);
}

Test(migrate, applies_missing_migrations_once)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    cr_assert(migrated(conn, &source).created);
    source = source_of("CREATE TABLE b (n integer);", 1);
    struct db_migrated done = migrated(conn, &source);
    cr_assert(!done.created && done.code && done.migrations == 1);
    source =
        source_of("CREATE TABLE b (n integer); CREATE TABLE c (n integer); CREATE TABLE d (n integer);", 3);
    cr_assert_eq(migrated(conn, &source).migrations, 2);
    cr_assert_eq(migrated(conn, &source).migrations, 0);
    cr_assert_str_eq(test_value(conn, "SELECT count(*) FROM b"), "1");
    db_close(conn);
}

Test(migrate, replaces_changed_functions_and_drops_removed_ones)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    (void)migrated(conn, &source);
    test_script(conn, "CREATE FUNCTION third() RETURNS integer LANGUAGE sql AS 'SELECT 3';"
                      "PREPARE kept AS SELECT first(); EXECUTE kept;"
                      "UPDATE a SET n = 8 WHERE n = 9; DELETE FROM a WHERE n = 1");
    static const struct embed_file changed[] = {
        FILE_OF("first.sql",
                "CREATE OR REPLACE FUNCTION first() RETURNS integer LANGUAGE sql AS 'SELECT 5';"),
        NOTED};
    source.functions = changed;
    source.functions_n = 2;
    struct db_migrated done = migrated(conn, &source);
    cr_assert(!done.created && done.code);
    cr_assert_str_eq(test_value(conn, "EXECUTE kept"), "5");
    cr_assert_str_eq(test_value(conn, "SELECT third()"), "3");
    cr_assert_str_eq(test_value(conn, "SELECT to_regprocedure('second()') IS NULL"), "t");
    cr_assert_str_eq(test_value(conn, "SELECT string_agg(n || ' ' || noted, ', ' ORDER BY n) FROM a"),
                     "1 5, 8 1");
    cr_assert_not(migrated(conn, &source).code);
    db_close(conn);
}

Test(migrate, a_function_may_change_its_return_type)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    (void)migrated(conn, &source);
    static const struct embed_file changed[] = {
        FILE_OF("first.sql",
                "CREATE OR REPLACE FUNCTION first(p integer DEFAULT 2) RETURNS text LANGUAGE sql AS"
                " 'SELECT p::text';"),
        FILE_OF("second.sql", "CREATE OR REPLACE FUNCTION second() RETURNS text LANGUAGE sql AS"
                              " 'SELECT first() || 1';"),
        FILE_OF("noted.sql", "CREATE OR REPLACE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS"
                             " 'BEGIN RETURN NEW; END';")};
    source.functions = changed;
    (void)migrated(conn, &source);
    cr_assert_str_eq(test_value(conn, "SELECT second()"), "21");
    cr_assert_str_eq(test_value(conn, "SELECT count(*) FROM pg_proc WHERE proname IN ('first', 'second')"),
                     "2");
    db_close(conn);
}

Test(migrate, functions_that_fail_leave_everything_unchanged)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    (void)migrated(conn, &source);
    /* Only the body reveals these errors: a table that does not exist, and a misspelled word. */
    static const struct embed_file wrong[][3] = {
        {FILE_OF("first.sql",
                 "CREATE OR REPLACE FUNCTION first() RETURNS integer LANGUAGE sql AS 'SELECT 5';"),
         FILE_OF("second.sql", "CREATE OR REPLACE FUNCTION second() RETURNS integer LANGUAGE sql AS"
                               " 'SELECT n FROM nowhere';"),
         NOTED},
        {FILE_OF("first.sql",
                 "CREATE OR REPLACE FUNCTION first() RETURNS integer LANGUAGE sql AS 'SELECT 5';"),
         FILE_OF("second.sql", "CREATE OR REPLACE FUNCTION second() RETURNS integer LANGUAGE plpgsql AS"
                               " 'BEGIN RETRUN 1; END';"),
         NOTED},
        {FILE_OF("first.sql",
                 "CREATE OR REPLACE FUNCTION first() RETURNS integer LANGUAGE sql AS 'SELECT 5';"),
         FILE_OF("second.sql", "CREATE OR REPLACE FUNCTION second() RETRUNS integer"), NOTED}};
    static const char *const said[] = {"PostgreSQL: relation \"nowhere\" does not exist",
                                       "PostgreSQL: ", "second.sql failed: PostgreSQL: syntax error"};
    for (size_t i = 0; i < 3; i++) {
        source.functions = wrong[i];
        refused(conn, &source, said[i]);
        cr_assert_str_eq(test_value(conn, "SELECT first() + second()"), "3");
    }
    db_close(conn);
}

Test(migrate, a_function_in_use_is_not_dropped)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    (void)migrated(conn, &source);
    test_script(conn, "CREATE VIEW used AS SELECT second()");
    source.functions = &functions[1];
    source.functions_n = 2;
    refused(conn, &source, "PostgreSQL: cannot drop function second() because other objects depend on it");
    cr_assert_str_eq(test_value(conn, "SELECT * FROM used"), "2");
    db_close(conn);
}

Test(migrate, refuses_changed_and_unknown_migrations)
{
    struct db_conn *conn = test_connect(test_database());
    struct embed_file changed[3];
    struct embed_file renamed[3];
    memcpy(changed, steps, sizeof steps);
    memcpy(renamed, steps, sizeof steps);
    changed[1].data = "CREATE TABLE c (n bigint);";
    changed[1].len = strlen(changed[1].data);
    renamed[2].name = "0003-other.sql";
    struct db_source source = source_of("", 3);
    (void)migrated(conn, &source);
    source.migrations = changed;
    refused(conn, &source, "migration 0002-c.sql was changed after it was applied to this database");
    source.migrations = renamed;
    refused(conn, &source, "migration 0003-d.sql is in the database, but");
    source.migrations = steps;
    source.migrations_n = 2;
    refused(conn, &source, "migration 0003-d.sql is newer than this program");
    db_close(conn);
}

Test(migrate, refuses_a_schema_change_without_a_migration)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    (void)migrated(conn, &source);
    source = source_of("-- said better\n", 0);
    cr_assert_not(migrated(conn, &source).code, "a changed comment does not matter");
    source = source_of("CREATE TABLE b (n integer);", 0);
    refused(conn, &source, "the database was made from another schema.sql, and no migration leads");
    test_script(conn, "DROP TABLE schema_state");
    refused(conn, &source, "the database was made before the first release, and nothing leads from there");
    db_close(conn);
}

Test(migrate, a_failing_migration_leaves_nothing_behind)
{
    struct db_error err;
    struct db_migrated done = {0};
    const struct embed_file files[] = {steps[0],
                                       FILE_OF("0002-bad.sql", "CREATE TABLE c (n integer); SELECT 1 / 0;")};
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    (void)migrated(conn, &source);
    source = source_of("CREATE TABLE b (n integer); CREATE TABLE c (n integer);", 2);
    source.migrations = files;
    cr_assert_not(db_migrate_from(conn, &source, &test_roles, &done, &err));
    cr_assert_eq(done.migrations, 1);
    cr_assert_str_eq(err.text, "migration 0002-bad.sql failed: PostgreSQL: division by zero");
    cr_assert_str_eq(err.sqlstate, "22012");
    cr_assert_str_eq(test_value(conn, "SELECT to_regclass('b') IS NOT NULL AND to_regclass('c') IS NULL"),
                     "t");
    source.migrations = steps;
    cr_assert_eq(migrated(conn, &source).migrations, 1);
    db_close(conn);
}

Test(migrate, resumes_after_a_failure_between_migrations_and_functions)
{
    struct db_conn *conn = test_connect(test_database());
    struct db_source source = source_of("", 0);
    static const struct embed_file wrong[] = {FILE_OF("first.sql", "no SQL")};
    (void)migrated(conn, &source);
    source = source_of("CREATE TABLE b (n integer);", 1);
    source.functions = wrong;
    source.functions_n = 1;
    refused(conn, &source, "first.sql failed: PostgreSQL: syntax error");
    source.functions = functions;
    source.functions_n = 3;
    struct db_migrated done = migrated(conn, &source);
    cr_assert(done.code && done.migrations == 0);
    cr_assert_str_eq(test_value(conn, "SELECT n FROM b"), "7");
    db_close(conn);
}

static void *migrate_slowly(void *arg)
{
    struct db_error err = {0};
    struct db_migrated done = {0};
    struct db_conn *conn = test_connect(arg);
    const struct db_source source = {&made, functions, 3, data, 2, steps, 1, NULL};
    cr_assert(db_migrate_from(conn, &source, &test_roles, &done, &err), "%s", err.text);
    db_close(conn);
    return (void *)(intptr_t)(done.created + done.migrations);
}

Test(migrate, only_one_of_several_concurrent_runs_sets_up_the_database)
{
    pthread_t threads[3];
    intptr_t total = 0;
    const char *where = test_database();
    (void)source_of("SELECT pg_sleep(0.3);", 1);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, migrate_slowly, (void *)(uintptr_t)where), 0);
    for (int i = 0; i < 3; i++) {
        void *did = NULL;
        (void)pthread_join(threads[i], &did);
        total += (intptr_t)did;
    }
    cr_assert_eq(total, 1);
}

Test(migrate, the_schema_of_the_program_migrates_and_is_checked)
{
    struct db_error err;
    struct db_migrated done = {0};
    struct db_conn *conn = test_connect(test_database());
    cr_assert_eq(db_schema_state(conn, &err), DB_SCHEMA_BEHIND);
    FILE *nowhere = fopen("/dev/null", "w");
    cr_assert_eq(db_ledger_check(conn, nowhere, &err), -1);
    cr_assert_str_eq(err.text, "the database has no ledger yet; run `rummyd migrate`");
    cr_assert(db_migrate(conn, &test_roles, &done, &err), "%s", err.text);
    cr_assert(done.created);
    cr_assert_eq(db_schema_state(conn, &err), DB_SCHEMA_OK);
    cr_assert_eq(db_ledger_check(conn, nowhere, &err), 0);
    test_script(conn, "UPDATE schema_state SET code = '\\x00'");
    cr_assert_eq(db_schema_state(conn, &err), DB_SCHEMA_BEHIND);
    test_script(conn, "UPDATE schema_state SET base = '\\x00'");
    cr_assert_eq(db_schema_state(conn, &err), DB_SCHEMA_UNKNOWN);
    (void)fclose(nowhere);
    db_close(conn);
}

Test(migrate, the_ledger_check_names_the_wrong_account)
{
    struct db_error err;
    char *text = NULL;
    size_t len = 0;
    struct db_conn *conn = test_connect(test_database_migrated());
    test_script(conn, "SELECT do_create_player('guest', 'Ann', '')");
    test_script(conn, "ALTER TABLE accounts DISABLE TRIGGER USER");
    test_script(conn, "UPDATE accounts SET balance = 7 WHERE kind = 'purse' AND currency = 'gold'");
    FILE *out = open_memstream(&text, &len);
    cr_assert_eq(db_ledger_check(conn, out, &err), 1);
    (void)fclose(out);
    cr_assert(strstr(text, "balance_differs: account ") == text, "%s", text);
    cr_assert(strstr(text, "stored 7, postings 0\n"), "%s", text);
    free(text);
    db_close(conn);
}
