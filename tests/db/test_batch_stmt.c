/* Writes (or reads) that wait at the same time are combined into one statement: which ones, which caller
 * gets which result, and what happens to the others if one is rejected or the connection breaks. */
#include "tests/db/pipe_rig.h"

#include <stdlib.h>

TestSuite(batch_stmt, .fini = test_database_drop);

/* Each call of one() or many() leaves a row for each of its actions, with its transaction. Numbers from 100
 * are special: 1xx is rejected, 2xx has two serialization failures, 3xx exceeds the timeout. */
static const char tables_and_functions[] =
    "CREATE TABLE done (n bigint, said text, at xid8 DEFAULT pg_current_xact_id(), alone boolean);"
    "CREATE SEQUENCE tries;"
    "CREATE SEQUENCE sleeps;"
    "CREATE FUNCTION misbehave(n bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN"
    " IF n / 100 = 1 THEN RAISE 'no' USING ERRCODE = 'RU001'; END IF;"
    " IF n / 100 = 2 AND nextval('tries') < 3 THEN RAISE 'again' USING ERRCODE = '40001'; END IF;"
    " IF n / 100 = 3 THEN PERFORM nextval('sleeps'), pg_sleep(300); END IF; END $$;"
    "CREATE FUNCTION one(n bigint, t text, b bytea, u uuid, s text) RETURNS TABLE (said text, rest text)"
    " LANGUAGE plpgsql AS $$ BEGIN PERFORM misbehave(n); said := concat_ws(' ', n, t, encode(b, 'hex'), "
    "left(u::text, 2), s);"
    " INSERT INTO done VALUES (n, said, DEFAULT, true); RETURN NEXT; END $$;"
    "CREATE FUNCTION many(ns bigint[], t text[], b bytea[], u uuid[], s text) RETURNS TABLE (said text, rest "
    "text)"
    " LANGUAGE plpgsql AS $$ BEGIN FOR i IN 1..cardinality(ns) LOOP PERFORM misbehave(ns[i]);"
    " said := concat_ws(' ', ns[i], t[i], encode(b[i], 'hex'), left(u[i]::text, 2), s);"
    " INSERT INTO done VALUES (ns[i], said, DEFAULT, false); RETURN NEXT; END LOOP; END $$;";

static const struct db_stmt one_stmt = {"one", "SELECT * FROM one($1, $2, $3, $4, $5)", 5};
static const struct db_stmt many_stmt = {"many", "SELECT * FROM many($1, $2, $3, $4, $5)", 5};
static const struct db_stmt nap_stmt = {"nap", "SELECT pg_sleep($1::bigint / 1000.0)", 1};
static const struct db_batch_stmt how = {
    .one = &one_stmt,
    .many = &many_stmt,
    .kinds = {DB_BATCH_INT, DB_BATCH_TEXT, DB_BATCH_BYTES, DB_BATCH_UUID, DB_BATCH_SAME},
    .distinct = 0,
};

static struct rig *begin_batches(int write_conns, int answer_ms_max)
{
    struct rig *rig = start((struct db_pipe_options){.write_conns = write_conns,
                                                     .answer_ms_max = answer_ms_max,
                                                     .retry_ms_min = 20,
                                                     .batched_writes = &how},
                            test_database());
    test_script(rig->side, tables_and_functions);
    return rig;
}

static void ask_as(struct rig *rig, int64_t n, const char *text, const char *same, struct outcome *to)
{
    char mem[256];
    struct db_args args;
    uint8_t uuid[16];
    memset(uuid, (int)(n % 256), sizeof uuid);
    db_args_init(&args, mem, sizeof mem);
    db_args_int(&args, n);
    db_args_text(&args, text);
    db_args_bytes(&args, &uuid[0], (size_t)(n % 3));
    db_args_uuid(&args, uuid);
    db_args_text(&args, same);
    cr_assert(db_pipe_write(rig->pipe, &one_stmt, &args, keep, to));
}

static void ask(struct rig *rig, int64_t n, struct outcome *to)
{
    char text[16];
    (void)snprintf(text, sizeof text, "t%lld", (long long)n);
    ask_as(rig, n, text, "s", to);
}

static void wait_for(struct rig *rig, struct outcome *got, int n)
{
    for (int i = 0; i < n; i++) {
        run_until(rig, &got[i].calls, 1);
        cr_assert_eq(got[i].calls, 1);
    }
}

static void said(const struct outcome *got, int64_t n)
{
    char expected[64], hex[8] = "";
    for (int i = 0; i < n % 3; i++)
        (void)snprintf(hex + (ptrdiff_t)2 * i, 3, "%02x", (unsigned)(n % 256));
    (void)snprintf(expected, sizeof expected, "%lld t%lld %s %02x s", (long long)n, (long long)n, hex,
                   (unsigned)(n % 256));
    cr_assert_eq(got->outcome, DB_OK, "%lld: %s", (long long)n, got->sqlstate);
    cr_assert_str_eq(got->value, expected);
}

static const char *groups(struct rig *rig)
{
    return test_value(rig->side, "SELECT string_agg(n::text, ' ' ORDER BY first) FROM"
                                 " (SELECT count(*) AS n, min(done.n) AS first FROM done GROUP BY at) d");
}

Test(batch_stmt, concurrent_writes_share_a_statement_and_get_separate_results)
{
    enum { N = 21 };
    static struct outcome got[N];
    struct rig *rig = begin_batches(1, 0);
    for (int i = 0; i < N; i++)
        ask(rig, i, &got[i]);
    cr_assert_eq(stats(rig).writes_open, N);
    wait_for(rig, got, N);
    for (int i = 0; i < N; i++)
        said(&got[i], i);
    cr_assert_str_eq(groups(rig), "16 5");
    cr_assert_eq(stats(rig).writes_open, 0);
    end(rig);
}

Test(batch_stmt, a_single_waiting_write_runs_alone)
{
    struct outcome got[3] = {0};
    struct rig *rig = begin_batches(1, 0);
    for (int i = 0; i < 3; i++) {
        ask(rig, i, &got[i]);
        run_until(rig, &got[i].calls, 1);
        said(&got[i], i);
    }
    cr_assert_str_eq(groups(rig), "1 1 1");
    cr_assert_str_eq(test_value(rig->side, "SELECT bool_and(alone) FROM done"), "t");
    end(rig);
}

Test(batch_stmt, at_most_two_group_statements_are_pending_and_others_overtake)
{
    enum { N = 12 };
    struct outcome got[N] = {0}, nap = {0};
    struct rig *rig = begin_batches(4, 0);
    test_script(rig->side, "BEGIN; LOCK TABLE done");
    for (int i = 0; i < N; i++) {
        ask(rig, i, &got[i]);
        if (i < 2) /* sent before the next one is requested */
            RUN_UNTIL(rig, stats(rig).of_writes.sent == (uint64_t)i + 1)
    }
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(1), keep, &nap));
    run_until(rig, &nap.calls, 1);
    cr_assert_eq(nap.outcome, DB_OK);
    for (int i = 0; i < N; i++)
        cr_assert_eq(got[i].calls, 0);
    test_script(rig->side, "COMMIT");
    wait_for(rig, got, N);
    for (int i = 0; i < N; i++)
        said(&got[i], i);
    cr_assert_str_eq(groups(rig), "1 1 10");
    end(rig);
}

Test(batch_stmt, other_statements_between_them_keep_their_order)
{
    struct outcome got[4] = {0}, naps[2] = {0};
    struct rig *rig = begin_batches(1, 0);
    ask(rig, 0, &got[0]);
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(1), keep, &naps[0]));
    ask(rig, 1, &got[1]);
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(2), keep, &naps[1]));
    ask(rig, 2, &got[2]);
    wait_for(rig, got, 3);
    wait_for(rig, naps, 2);
    cr_assert_str_eq(groups(rig), "3");
    ask(rig, 3, &got[3]); /* the end of the queue has not moved */
    run_until(rig, &got[3].calls, 1);
    said(&got[3], 3);
    end(rig);
}

Test(batch_stmt, a_group_has_one_entry_per_key_and_equal_shared_values)
{
    struct outcome got[6] = {0};
    struct rig *rig = begin_batches(1, 0);
    ask_as(rig, 1, "a", "x", &got[0]);
    ask_as(rig, 2, "b", "x", &got[1]);
    ask_as(rig, 1, "c", "x", &got[2]);
    ask_as(rig, 3, "d", "y", &got[3]);
    ask_as(rig, 4, "e", "y", &got[4]);
    ask_as(rig, 5, NULL, "x", &got[5]); /* arrays have no NULLs */
    wait_for(rig, got, 6);
    cr_assert_str_eq(test_value(rig->side,
                                "SELECT string_agg(members, '|' ORDER BY members) FROM (SELECT"
                                " string_agg(left(said, 3), ',') AS members FROM done GROUP BY at) d"),
                     "1 a,2 b|1 c|3 d,4 e|5 0");
    end(rig);
}

Test(batch_stmt, one_rejected_write_does_not_reject_the_others)
{
    enum { N = 16 };
    static const int bad_at[] = {0, 5, 15};
    for (size_t b = 0; b < sizeof bad_at / sizeof *bad_at; b++) {
        struct outcome got[N] = {0};
        struct rig *rig = begin_batches(1, 0);
        for (int i = 0; i < N; i++)
            ask(rig, i == bad_at[b] ? 100 : i, &got[i]);
        wait_for(rig, got, N);
        for (int i = 0; i < N; i++) {
            if (i == bad_at[b]) {
                cr_assert_eq(got[i].outcome, DB_FAILED);
                cr_assert_str_eq(got[i].sqlstate, "RU001");
            } else {
                said(&got[i], i);
            }
        }
        cr_assert_str_eq(test_value(rig->side, "SELECT count(*) || ' ' || count(DISTINCT n) FROM done"),
                         "15 15");
        cr_assert_str_eq(
            test_value(rig->side, "SELECT max(n) FROM (SELECT count(*) AS n FROM done GROUP BY at) d"), "8",
            "halves");
        cr_assert_eq(stats(rig).writes_open, 0);
        end(rig);
        test_database_drop();
    }
}

Test(batch_stmt, all_writes_of_a_group_can_be_rejected)
{
    enum { N = 7 };
    struct outcome got[N] = {0};
    struct rig *rig = begin_batches(2, 0);
    for (int i = 0; i < N; i++)
        ask(rig, 100 + i, &got[i]);
    wait_for(rig, got, N);
    for (int i = 0; i < N; i++)
        cr_assert_str_eq(got[i].sqlstate, "RU001");
    cr_assert_eq(stats(rig).failures, N);
    end(rig);
}

Test(batch_stmt, a_group_with_a_serialization_failure_is_retried_as_a_whole)
{
    struct outcome got[3] = {0};
    struct rig *rig = begin_batches(1, 0);
    ask(rig, 1, &got[0]);
    ask(rig, 200, &got[1]);
    ask(rig, 2, &got[2]);
    wait_for(rig, got, 3);
    said(&got[0], 1);
    said(&got[1], 200);
    said(&got[2], 2);
    cr_assert_str_eq(groups(rig), "3");
    end(rig);
}

Test(batch_stmt, a_slow_write_does_not_delay_the_others_twice)
{
    enum { N = 8 };
    struct outcome got[N] = {0};
    struct rig *rig = begin_batches(1, 3000);
    for (int i = 0; i < N; i++)
        ask(rig, i == N - 1 ? 300 : i, &got[i]);
    wait_for(rig, got, N - 1);
    for (int i = 0; i < N - 1; i++)
        said(&got[i], i);
    wait_for(rig, got, N);
    cr_assert_str_eq(got[N - 1].sqlstate, "57014");
    cr_assert_str_eq(test_value(rig->side, "SELECT last_value FROM sleeps"), "2",
                     "once with all, once alone, not by halves");
    end(rig);
}

Test(batch_stmt, a_lost_connection_makes_each_pending_outcome_unknown)
{
    enum { N = 20 };
    struct outcome got[N] = {0};
    struct rig *rig = begin_batches(1, 0);
    for (int i = 0; i < N; i++)
        ask(rig, i == 3 ? 300 : i, &got[i]);
    run_until_asleep(rig, 1);
    terminate_others(rig);
    wait_for(rig, got, N);
    for (int i = 0; i < N; i++)
        cr_assert_eq(got[i].outcome, i < DB_BATCH_MAX ? DB_UNKNOWN : DB_DOWN, "%d", i);
    cr_assert_str_eq(test_value(rig->side, "SELECT count(*) FROM done"), "0");
    run_until_all_reconnected(rig);
    memset(got, 0, sizeof got);
    ask(rig, 0, &got[0]);
    ask(rig, 1, &got[1]);
    wait_for(rig, got, 2);
    said(&got[0], 0);
    said(&got[1], 1);
    end(rig);
}

Test(batch_stmt, closing_the_pipe_completes_all_pending_writes)
{
    enum { N = 5 };
    struct outcome got[N] = {0};
    struct rig *rig = begin_batches(1, 0);
    for (int i = 0; i < N; i++)
        ask(rig, i == 0 ? 300 : i, &got[i]);
    run_until_asleep(rig, 1);
    end(rig);
    for (int i = 0; i < N; i++) {
        cr_assert_eq(got[i].calls, 1);
        cr_assert_eq(got[i].outcome, DB_UNKNOWN);
    }
}

/* ---- Reads ---- */

/* "n of how many in the statement"; 100 cannot be read, 200 does not exist. */
static const char functions_of_reads[] =
    "CREATE FUNCTION look(n bigint) RETURNS TABLE (said text) LANGUAGE sql AS $$"
    " SELECT CASE WHEN n = 100 THEN (1 / (n - n))::text ELSE n::text END WHERE n <> 200 $$;";
static const struct db_stmt look_stmt = {"look", "SELECT said || ' of 1' AS said FROM look($1)", 1};
static const struct db_stmt look_at_all_stmt = {
    "look_at_all",
    "SELECT said || ' of ' || cardinality($1::bigint[]) AS said FROM generate_subscripts($1::bigint[], 1) AS "
    "i"
    " LEFT JOIN LATERAL look(($1::bigint[])[i]) ON true ORDER BY i",
    1};
static const struct db_batch_stmt how_reads = {.one = &look_stmt,
                                               .many = &look_at_all_stmt,
                                               .kinds = {DB_BATCH_INT},
                                               .distinct = DB_BATCH_ANY,
                                               .may_lack = true};

static struct rig *begin_reads(void)
{
    struct rig *rig = start((struct db_pipe_options){.batched_reads = &how_reads}, test_database());
    test_script(rig->side, functions_of_reads);
    return rig;
}

static void look(struct rig *rig, int64_t n, struct outcome *to)
{
    cr_assert(db_pipe_read(rig->pipe, &look_stmt, number(n), keep, to));
}

static void seen(const struct outcome *got, int64_t n, int of)
{
    char expected[32] = "";
    if (n != 200)
        (void)snprintf(expected, sizeof expected, "%lld of %d", (long long)n, of);
    cr_assert_eq(got->outcome, DB_OK, "%lld: %s", (long long)n, got->sqlstate);
    cr_assert_str_eq(got->value, expected);
}

Test(batch_stmt, concurrent_reads_share_a_statement)
{
    enum { N = 21 };
    static struct outcome got[N];
    struct rig *rig = begin_reads();
    for (int i = 0; i < N; i++)
        look(rig, i % 7, &got[i]); /* the same may be requested twice */
    wait_for(rig, got, N);
    for (int i = 0; i < N; i++)
        seen(&got[i], i % 7, i < 16 ? 16 : 5);
    cr_assert_eq(stats(rig).reads, N);
    cr_assert_eq(stats(rig).of_reads.sent, N);
    look(rig, 3, &got[0]);
    run_until(rig, &got[0].calls, 2);
    seen(&got[0], 3, 1);
    cr_assert_eq(stats(rig).reads_open, 0);
    end(rig);
}

Test(batch_stmt, reads_beyond_two_statements_wait_and_are_grouped)
{
    enum { N = 3 * DB_BATCH_MAX + 2 };
    static struct outcome got[N];
    struct rig *rig = begin_reads();
    for (int i = 0; i < N; i++)
        look(rig, i, &got[i]);
    (void)ev_run(rig->loop, EVRUN_NOWAIT);
    cr_assert_eq(stats(rig).of_reads.waiting, N - 2 * DB_BATCH_MAX);
    wait_for(rig, got, N);
    for (int i = 0; i < N; i++)
        seen(&got[i], i, i < 3 * DB_BATCH_MAX ? DB_BATCH_MAX : 2);
    end(rig);
}

Test(batch_stmt, a_missing_row_is_missing_in_a_group_too)
{
    struct outcome got[4] = {0};
    static const int64_t numbers[] = {5, 200, 6, 200};
    struct rig *rig = begin_reads();
    for (int i = 0; i < 4; i++)
        look(rig, numbers[i], &got[i]);
    wait_for(rig, got, 4);
    for (int i = 0; i < 4; i++)
        seen(&got[i], numbers[i], 4);
    end(rig);
}

Test(batch_stmt, a_failed_read_fails_alone)
{
    enum { N = 16, BAD = 5 };
    struct outcome got[N] = {0}, other = {0};
    struct rig *rig = begin_reads();
    static const struct db_stmt echo = {"echo", "SELECT $1::bigint", 1};
    for (int i = 0; i < N; i++)
        look(rig, i == BAD ? 100 : i, &got[i]);
    cr_assert(db_pipe_read(rig->pipe, &echo, number(77), keep, &other));
    wait_for(rig, got, N);
    run_until(rig, &other.calls, 1);
    cr_assert_str_eq(other.value, "77", "sent after it in the same loop iteration");
    for (int i = 0; i < N; i++) {
        cr_assert_eq(got[i].calls, 1);
        cr_assert_eq(got[i].outcome, i == BAD ? DB_FAILED : DB_OK, "%d: %s", i, got[i].sqlstate);
        cr_assert_eq(strtol(got[i].value, NULL, 10), i == BAD ? 0 : i);
    }
    cr_assert_str_eq(got[BAD].sqlstate, "22012");
    cr_assert_eq(stats(rig).failures, 1);
    end(rig);
}

Test(batch_stmt, all_reads_of_a_lost_connection_are_completed)
{
    enum { N = 20 };
    struct outcome got[N] = {0};
    struct rig *rig = begin_reads();
    test_script(rig->side,
                "CREATE OR REPLACE FUNCTION look(n bigint) RETURNS TABLE (said text) LANGUAGE sql AS"
                " $$ SELECT pg_sleep(300)::text $$");
    for (int i = 0; i < N; i++)
        look(rig, i, &got[i]);
    run_until_asleep(rig, 1);
    terminate_others(rig);
    wait_for(rig, got, N);
    for (int i = 0; i < N; i++)
        cr_assert_eq(got[i].outcome, DB_DOWN, "%d", i);
    cr_assert_eq(stats(rig).reads_open, 0);
    end(rig);
}
