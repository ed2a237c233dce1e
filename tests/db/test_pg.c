/* The blocking connection and transactions on a real server. */
#include "db/pg.h"
#include "db/tx.h"
#include "tests/db/support.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(pg, .fini = test_database_drop);
TestSuite(tx, .fini = test_database_drop);

static const struct db_stmt one_stmt = {"one", "SELECT 1 AS one", 0};

/* ---- pg --------------------------------------------------------------------------------------- */

Test(pg, connection_errors_are_a_single_sentence)
{
    struct db_error err;
    char wrong[600];
    (void)snprintf(wrong, sizeof wrong, "%s dbname=there_is_none", test_database());
    const char *const where[] = {wrong, "host=/nonexistent port=1", "host=127.0.0.1 port=1", "colour=red"};
    const char *const said[] = {"does not exist", "No such file", "refused", "invalid connection option"};
    for (int i = 0; i < 4; i++) {
        cr_assert_null(db_open(where[i], &err));
        cr_expect_eq(err.outcome, DB_DOWN);
        cr_expect(strstr(err.text, "cannot connect to PostgreSQL: ") == err.text);
        cr_expect(strstr(err.text, said[i]), "%s", err.text);
        cr_expect_null(strchr(err.text, '\n'));
    }
}

Test(pg, statements_are_prepared_again_after_a_reconnect)
{
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    unsigned before = db_generation(conn);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2; i++) {
            DB_AUTO PGresult *res = db_run(conn, &one_stmt, NULL, &err);
            cr_assert(res, "%s", err.text);
            cr_assert_eq(db_i64(res, 0, db_col(res, "one")), 1);
        }
        cr_assert(db_reopen(conn, &err), "%s", err.text);
    }
    cr_assert_eq(db_generation(conn), before + 2);
    db_close(conn);
}

Test(pg, a_connection_broken_while_idle_is_down_not_unknown)
{
    struct db_error err;
    const char *where = test_database();
    struct db_conn *conn = test_connect(where);
    struct db_conn *other = test_connect(where);
    char sql[80];
    (void)snprintf(sql, sizeof sql, "SELECT pg_terminate_backend(%d, 2000)", PQbackendPID(db_handle(conn)));
    cr_assert_str_eq(test_value(other, sql), "t");
    cr_assert_null(db_run(conn, &one_stmt, NULL, &err));
    cr_assert_eq(err.outcome, DB_DOWN);
    cr_assert_not(db_is_up(conn));
    cr_assert_eq(db_socket(conn), -1);
    db_close(conn);
    db_close(other);
}

Test(pg, a_connection_broken_during_a_statement_is_unknown)
{
    static const struct db_stmt suicide = {"suicide",
                                           "SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)", 0};
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    cr_assert_null(db_run(conn, &suicide, NULL, &err));
    cr_assert_eq(err.outcome, DB_UNKNOWN, "%s", err.text);
    db_close(conn);
}

Test(pg, a_result_that_takes_too_long_is_unknown)
{
    static const struct db_stmt slow = {"slow", "SELECT pg_sleep(20)", 0};
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    db_answer_within(conn, 200);
    cr_assert_null(db_run(conn, &slow, NULL, &err));
    cr_assert_eq(err.outcome, DB_UNKNOWN, "%s", err.text);
    cr_assert_not(db_is_up(conn));
    cr_assert(db_reopen(conn, &err), "%s", err.text);
    cr_assert_not(db_script(conn, "SELECT pg_sleep(20)", &err),
                  "the timeout also applies to a new connection");
    cr_assert_eq(err.outcome, DB_UNKNOWN, "%s", err.text);
    db_close(conn);
}

/* More data than socket buffers hold, in both directions. */
Test(pg, a_connection_with_a_time_limit_transfers_large_values)
{
    enum { BYTES = 4000000 };
    static const struct db_stmt echo = {"echo", "SELECT $1::text AS text", 1};
    static char text[BYTES + 1], mem[BYTES + 64];
    struct db_args args;
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    db_answer_within(conn, 10000);
    memset(text, 'x', BYTES);
    db_args_init(&args, mem, sizeof mem);
    db_args_text(&args, text);
    DB_AUTO PGresult *res = db_run(conn, &echo, &args, &err);
    cr_assert(res, "%s", err.text);
    cr_expect_str_eq(db_text(res, 0, 0), text);
    db_close(conn);
}

Test(pg, refusals_include_their_sqlstate)
{
    static const struct db_stmt divide = {"divide", "SELECT 1 / ($1::bigint)", 1};
    static const struct db_stmt nonsense = {"nonsense", "SELECT nothing FROM nowhere", 0};
    char mem[16];
    char little[4];
    struct db_args args;
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    db_args_init(&args, mem, sizeof mem);
    db_args_int(&args, 0);
    cr_assert_null(db_run(conn, &divide, &args, &err));
    cr_assert_eq(err.outcome, DB_FAILED);
    cr_assert_str_eq(err.sqlstate, "22012");
    cr_assert_null(db_run(conn, &nonsense, NULL, &err));
    cr_assert_str_eq(err.sqlstate, "42P01");
    db_args_init(&args, little, sizeof little);
    db_args_int(&args, 123456789);
    cr_assert_null(db_run(conn, &divide, &args, &err));
    cr_assert_eq(err.outcome, DB_TOO_BIG);
    cr_assert(db_is_up(conn));
    db_close(conn);
}

Test(pg, a_full_disk_is_reported_plainly)
{
    static const struct db_stmt full = {"full", "SELECT full_disk()", 0};
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    test_script(
        conn,
        "CREATE FUNCTION full_disk() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file'"
        " USING ERRCODE = 'disk_full'; END $$");
    cr_assert_null(db_run(conn, &full, NULL, &err));
    cr_assert_eq(err.outcome, DB_NO_ROOM);
    cr_assert_str_eq(err.text, "the disk of the database is full: could not extend file");
    db_close(conn);
}

Test(pg, values_of_a_result_are_read)
{
    static const struct db_stmt stmt = {
        "values", "SELECT 5::bigint AS n, NULL::bigint AS no, true AS yes, 'x' AS t, '\\x00ff'::bytea AS b",
        0};
    struct db_error err;
    uint8_t bytes[2];
    struct db_conn *conn = test_connect(test_database());
    PGresult *res = db_run(conn, &stmt, NULL, &err);
    cr_assert(res, "%s", err.text);
    cr_assert_eq(db_i64(res, 0, db_col(res, "n")), 5);
    cr_assert_eq(db_i64(res, 0, db_col(res, "no")), 0);
    cr_assert_null(db_text(res, 0, db_col(res, "no")));
    cr_assert(db_bool(res, 0, db_col(res, "yes")));
    cr_assert_str_eq(db_text(res, 0, db_col(res, "t")), "x");
    cr_assert_eq(db_bytes(res, 0, db_col(res, "b"), bytes, 2), 2);
    cr_assert_eq(bytes[1], 0xff);
    cr_assert_eq(db_bytes(res, 0, db_col(res, "b"), bytes, 1), -1);
    PQclear(res);
    db_close(conn);
}

Test(prepared, the_set_finds_and_removes_statements)
{
    static struct db_stmt many[DB_STMT_MAX - 1];
    struct db_prepared set = {0};
    for (int i = 0; i < DB_STMT_MAX - 1; i++)
        db_prepared_add(&set, &many[i]);
    db_prepared_add(&set, &many[0]);
    cr_assert_eq(set.n, DB_STMT_MAX - 1);
    for (int i = 0; i < DB_STMT_MAX - 1; i++)
        cr_assert(db_prepared_has(&set, &many[i]));
    cr_assert_not(db_prepared_has(&set, &one_stmt));
    db_prepared_remove(&set, &many[7]);
    cr_assert_eq(set.n, DB_STMT_MAX - 2);
    for (int i = 0; i < DB_STMT_MAX - 1; i++)
        cr_assert_eq(db_prepared_has(&set, &many[i]), i != 7);
}

/* ---- tx --------------------------------------------------------------------------------------- */

static bool count_up(struct db_conn *conn, void *arg, struct db_error *err)
{
    int *calls = arg;
    ++*calls;
    return db_script(conn, "INSERT INTO t VALUES (1); SELECT flaky()", err);
}

static bool swallow(struct db_conn *conn, void *arg, struct db_error *err)
{
    struct db_error ignored;
    (void)arg;
    (void)err;
    (void)db_script(conn, "INSERT INTO t VALUES (1); SELECT 1 / 0", &ignored);
    return true;
}

static bool lose(struct db_conn *conn, void *arg, struct db_error *err)
{
    (void)arg;
    return db_script(conn, "INSERT INTO t VALUES (1); SELECT pg_terminate_backend(pg_backend_pid())", err);
}

/* flaky() fails with a serialization failure until it has been called `good` times. */
static struct db_conn *flaky_database(int good)
{
    char sql[400];
    struct db_conn *conn = test_connect(test_database());
    (void)snprintf(sql, sizeof sql,
                   "CREATE TABLE t (n integer); CREATE SEQUENCE calls;"
                   "CREATE FUNCTION flaky() RETURNS void LANGUAGE plpgsql AS $$ BEGIN"
                   " IF nextval('calls') < %d THEN RAISE 'again' USING ERRCODE = '40001'; END IF; END $$",
                   good);
    test_script(conn, sql);
    return conn;
}

Test(tx, serialization_failures_are_retried)
{
    struct db_error err;
    int calls = 0;
    struct db_conn *conn = flaky_database(3);
    cr_assert(db_tx_run(conn, "BEGIN ISOLATION LEVEL SERIALIZABLE", count_up, &calls, &err), "%s", err.text);
    cr_assert_eq(calls, 3);
    cr_assert_str_eq(test_value(conn, "SELECT count(*) FROM t"), "1");
    db_close(conn);
}

Test(tx, the_number_of_retries_is_limited)
{
    struct db_error err;
    int calls = 0;
    struct db_conn *conn = flaky_database(1000);
    cr_assert_not(db_tx_run(conn, NULL, count_up, &calls, &err));
    cr_assert_eq(err.outcome, DB_RETRY);
    cr_assert_eq(calls, DB_TX_TRIES_MAX);
    cr_assert_str_eq(test_value(conn, "SELECT count(*) FROM t"), "0");
    db_close(conn);
}

Test(tx, a_commit_that_rolls_back_is_a_failure)
{
    struct db_error err;
    struct db_conn *conn = flaky_database(1);
    cr_assert_not(db_tx_run(conn, NULL, swallow, NULL, &err));
    cr_assert_eq(err.outcome, DB_FAILED);
    cr_assert_str_eq(test_value(conn, "SELECT count(*) FROM t"), "0");
    db_close(conn);
}

Test(tx, a_connection_lost_before_the_commit_leaves_no_change)
{
    struct db_error err;
    struct db_conn *conn = flaky_database(1);
    cr_assert_not(db_tx_run(conn, NULL, lose, NULL, &err));
    cr_assert_eq(err.outcome, DB_DOWN);
    cr_assert(db_reopen(conn, &err));
    cr_assert_str_eq(test_value(conn, "SELECT count(*) FROM t"), "0");
    db_close(conn);
}
