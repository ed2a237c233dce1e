/* The asynchronous pipe on a real server: pipelining, failures in the middle, commits, lost connections. */
#include "tests/db/pipe_rig.h"

#include <unistd.h>

TestSuite(pipe, .fini = test_database_drop);
TestSuite(pipe_without);

static const struct db_stmt echo_stmt = {"echo", "SELECT $1::bigint", 1};
static const struct db_stmt divide_stmt = {"divide", "SELECT 100 / $1::bigint", 1};
static const struct db_stmt nap_stmt = {"nap", "SELECT pg_sleep($1::bigint / 1000.0)", 1};

Test(pipe, reads_of_one_turn_share_a_sync)
{
    enum { READS = 400 };
    static struct outcome got[READS];
    struct rig *rig = start((struct db_pipe_options){0}, test_database());
    for (int round = 0; round < 2; round++) {
        uint64_t before = stats(rig).syncs;
        memset(got, 0, sizeof got);
        for (int i = 0; i < READS; i++)
            cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(i), keep, &got[i]));
        cr_assert_eq(stats(rig).reads_open, READS);
        run_until(rig, &got[READS - 1].calls, 1);
        for (int i = 0; i < READS; i++) {
            char expected[16];
            (void)snprintf(expected, sizeof expected, "%d", i);
            cr_assert_eq(got[i].calls, 1);
            cr_assert_str_eq(got[i].value, expected);
        }
        cr_assert_eq(stats(rig).syncs - before, round == 0 ? 2 : 1); /* the preparation has its own Sync */
        cr_assert_eq(stats(rig).reads_open, 0);
    }
    end(rig);
}

Test(pipe, more_reads_than_the_depth_all_complete)
{
    enum { READS = 3000 };
    static struct outcome got[READS];
    struct rig *rig = start((struct db_pipe_options){0}, test_database());
    for (int i = 0; i < READS; i++)
        cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(i), keep, &got[i]));
    run_until(rig, &got[READS - 1].calls, 1);
    for (int i = 0; i < READS; i++)
        cr_assert(got[i].calls == 1 && got[i].outcome == DB_OK);
    end(rig);
}

Test(pipe, a_failed_read_does_not_affect_others)
{
    enum { READS = 60 };
    static struct outcome got[READS];
    struct rig *rig = start((struct db_pipe_options){0}, test_database());
    for (int i = 0; i < READS; i++) {
        bool bad = i % 7 == 3;
        cr_assert(
            db_pipe_read(rig->pipe, bad ? &divide_stmt : &echo_stmt, number(bad ? 0 : i), keep, &got[i]));
    }
    for (int i = 0; i < READS; i++)
        run_until(rig, &got[i].calls, 1);
    for (int i = 0; i < READS; i++) {
        cr_assert_eq(got[i].calls, 1);
        cr_assert_eq(got[i].outcome, i % 7 == 3 ? DB_FAILED : DB_OK, "read %d", i);
        if (i % 7 == 3)
            cr_assert_str_eq(got[i].sqlstate, "22012");
    }
    cr_assert(db_pipe_up(rig->pipe));
    end(rig);
}

Test(pipe, a_statement_that_cannot_be_prepared_reports_the_reason)
{
    static const struct db_stmt nonsense = {"nonsense", "SELECT nothing FROM nowhere", 0};
    struct outcome bad = {0}, good = {0}, again = {0};
    struct rig *rig = start((struct db_pipe_options){0}, test_database());
    cr_assert(db_pipe_read(rig->pipe, &nonsense, NULL, keep, &bad));
    cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(5), keep, &good));
    run_until(rig, &good.calls, 1);
    run_until(rig, &bad.calls, 1);
    cr_assert_eq(bad.outcome, DB_FAILED);
    cr_assert_str_eq(bad.sqlstate, "42P01");
    cr_assert_eq(good.outcome, DB_OK);
    test_script(rig->side, "CREATE TABLE nowhere (nothing integer)");
    cr_assert(db_pipe_read(rig->pipe, &nonsense, NULL, keep, &again));
    run_until(rig, &again.calls, 1);
    cr_assert_eq(again.outcome, DB_OK);
    end(rig);
}

Test(pipe, deallocated_statements_are_prepared_again)
{
    static const struct db_stmt forget = {"forget", "DEALLOCATE ALL", 0};
    struct outcome first = {0}, middle = {0}, last = {0};
    struct rig *rig = start((struct db_pipe_options){0}, test_database());
    cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(1), keep, &first));
    run_until(rig, &first.calls, 1);
    cr_assert(db_pipe_read(rig->pipe, &forget, NULL, keep, &middle));
    run_until(rig, &middle.calls, 1);
    cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(3), keep, &last));
    run_until(rig, &last.calls, 1);
    cr_assert_str_eq(last.value, "3");
    end(rig);
}

Test(pipe, writes_complete_after_their_commit)
{
    static const struct db_stmt insert = {"insert", "INSERT INTO t VALUES ($1::bigint) RETURNING n", 1};
    enum { WRITES = 100 };
    static struct outcome got[WRITES];
    struct rig *rig = start((struct db_pipe_options){.write_conns = 3}, test_database());
    test_script(rig->side, "CREATE TABLE t (n bigint PRIMARY KEY)");
    for (int i = 0; i < WRITES; i++)
        cr_assert(db_pipe_write(rig->pipe, &insert, number(i / 2), keep, &got[i])); /* each twice */
    int ok = 0;
    for (int i = 0; i < WRITES; i++) {
        run_until(rig, &got[i].calls, 1);
        ok += got[i].outcome == DB_OK;
        if (got[i].outcome != DB_OK)
            cr_assert_str_eq(got[i].sqlstate, "23505");
    }
    cr_assert_eq(ok, WRITES / 2);
    cr_assert_str_eq(test_value(rig->side, "SELECT count(*) FROM t"), "50");
    end(rig);
}

Test(pipe, a_commit_that_fails_is_a_failure)
{
    static const struct db_stmt empty = {
        "empty_transfer", "INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id", 0};
    struct outcome got = {0};
    struct outcome next = {0};
    struct rig *rig = start((struct db_pipe_options){.write_conns = 1}, test_database_migrated());
    cr_assert(db_pipe_write(rig->pipe, &empty, NULL, keep, &got));
    cr_assert(db_pipe_write(rig->pipe, &echo_stmt, number(4), keep, &next));
    run_until(rig, &next.calls, 1);
    cr_assert_eq(got.calls, 1);
    cr_assert_eq(got.outcome, DB_FAILED);
    cr_assert_str_eq(got.sqlstate, "23514");
    cr_assert_str_eq(next.value, "4");
    cr_assert_str_eq(test_value(rig->side, "SELECT count(*) FROM transfers"), "0");
    end(rig);
}

Test(pipe, serialization_failures_are_retried)
{
    static const struct db_stmt flaky = {"flaky", "SELECT flaky($1::bigint)", 1};
    struct outcome passes = {0}, never = {0};
    struct rig *rig = start((struct db_pipe_options){.write_conns = 1}, test_database());
    test_script(rig->side, "CREATE SEQUENCE calls;"
                           "CREATE FUNCTION flaky(good bigint) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN"
                           " IF nextval('calls') < good THEN RAISE 'again' USING ERRCODE = '40001'; END IF;"
                           " RETURN currval('calls'); END $$");
    cr_assert(db_pipe_write(rig->pipe, &flaky, number(3), keep, &passes));
    run_until(rig, &passes.calls, 1);
    cr_assert_str_eq(passes.value, "3");
    cr_assert(db_pipe_write(rig->pipe, &flaky, number(1000), keep, &never));
    run_until(rig, &never.calls, 1);
    cr_assert_eq(never.outcome, DB_RETRY);
    end(rig);
}

Test(pipe, pending_reads_are_limited_by_its_depth)
{
    static struct outcome got[7];
    struct db_pipe_stats stats;
    struct rig *rig = start((struct db_pipe_options){.read_depth = 2}, test_database());
    for (int i = 0; i < 7; i++)
        cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(i), keep, &got[i]));
    for (int i = 0; i < 7; i++) {
        run_until(rig, &got[i].calls, 1);
        cr_assert_eq(got[i].outcome, DB_OK);
    }
    db_pipe_stats(rig->pipe, &stats);
    cr_assert_eq(stats.syncs, 1 + 4, "one to prepare, then pairs: %d", (int)stats.syncs);
    end(rig);
}

Test(pipe, a_full_queue_refuses_statements)
{
    static struct outcome got[8];
    struct outcome after = {0};
    struct rig *rig =
        start((struct db_pipe_options){.read_queue_max = 8, .write_queue_max = 2}, test_database());
    for (int i = 0; i < 8; i++)
        cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(i), keep, &got[i]));
    cr_assert_not(db_pipe_read(rig->pipe, &echo_stmt, number(8), keep, &after));
    run_until(rig, &got[7].calls, 1);
    cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(8), keep, &after));
    run_until(rig, &after.calls, 1);
    cr_assert(db_pipe_write(rig->pipe, &echo_stmt, number(8), keep, &got[0]));
    cr_assert(db_pipe_write(rig->pipe, &echo_stmt, number(8), keep, &got[1]));
    cr_assert_not(db_pipe_write(rig->pipe, &echo_stmt, number(8), keep, &got[2]));
    end(rig);
    cr_assert_eq(got[0].calls, 2); /* answered when the pipe was freed */
    cr_assert_eq(got[0].outcome, DB_DOWN);
}

Test(pipe, oversized_arguments_are_refused)
{
    static char mem[DB_PIPE_ARGS_BYTES_MAX + 1];
    struct db_args args;
    struct outcome got = {0};
    struct rig *rig = start((struct db_pipe_options){0}, test_database());
    db_args_init(&args, mem, sizeof mem);
    static char big[DB_PIPE_ARGS_BYTES_MAX + 1];
    db_args_bytes(&args, big, sizeof big);
    cr_assert(db_args_ok(&args));
    cr_assert_not(db_pipe_read(rig->pipe, &echo_stmt, &args, keep, &got));
    db_args_bytes(&args, big, 1);
    cr_assert_not(db_args_ok(&args));
    cr_assert_not(db_pipe_read(rig->pipe, &echo_stmt, &args, keep, &got));
    end(rig);
    cr_assert_eq(got.calls, 0);
}

/* ---- Lost connections --------------------------------------------------------------------------- */

Test(pipe, statements_wait_during_the_first_connection_attempt)
{
    struct outcome read = {0}, write = {0};
    struct rig *rig = begin((struct db_pipe_options){.write_conns = 2}, test_database());
    cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(7), keep, &read));
    cr_assert(db_pipe_write(rig->pipe, &echo_stmt, number(8), keep, &write));
    run_until(rig, &read.calls, 1);
    run_until(rig, &write.calls, 1);
    cr_assert_str_eq(read.value, "7");
    cr_assert_str_eq(write.value, "8");
    end(rig);
}

Test(pipe, a_lost_connection_is_reported_and_reopened)
{
    struct outcome read = {0}, write = {0}, queued = {0}, after = {0}, written = {0};
    struct rig *rig =
        start((struct db_pipe_options){.write_conns = 1, .answer_ms_max = 10 * HANG_MS, .retry_ms_min = 20},
              test_database());
    cr_assert(db_pipe_read(rig->pipe, &nap_stmt, number(2 * HANG_MS), keep, &read));
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(2 * HANG_MS), keep, &write));
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(2 * HANG_MS), keep, &queued));
    run_until_asleep(rig, 2);
    terminate_others(rig);
    run_until(rig, &rig->downs, 1);
    cr_assert_not(db_pipe_up(rig->pipe));
    run_until(rig, &write.calls, 1);
    run_until(rig, &read.calls, 1);
    run_until(rig, &queued.calls, 1);
    cr_assert_eq(read.outcome, DB_DOWN);
    cr_assert_eq(write.outcome, DB_UNKNOWN);
    cr_assert_eq(queued.outcome, DB_DOWN);
    cr_assert(*db_pipe_last_error(rig->pipe));
    run_until_all_reconnected(rig);
    cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(9), keep, &after));
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(1), keep, &written));
    run_until(rig, &after.calls, 1);
    run_until(rig, &written.calls, 1);
    cr_assert_str_eq(after.value, "9");
    cr_assert_eq(written.outcome, DB_OK);
    cr_assert_geq(stats(rig).reconnects, 2);
    end(rig);
}

Test(pipe, idle_connections_that_end_are_reopened_too)
{
    struct outcome got = {0};
    struct rig *rig = start((struct db_pipe_options){.retry_ms_min = 20}, test_database());
    terminate_others(rig);
    run_until(rig, &rig->downs, 1);
    run_until_all_reconnected(rig);
    cr_assert(db_pipe_write(rig->pipe, &echo_stmt, number(1), keep, &got));
    run_until(rig, &got.calls, 1);
    cr_assert_eq(got.outcome, DB_OK);
    end(rig);
}

Test(pipe, a_statement_that_takes_too_long_is_canceled)
{
    static const struct db_stmt asked = {"asked", "SELECT current_setting('statement_timeout')", 0};
    static const struct db_stmt sooner = {"sooner", "SET statement_timeout = 100", 0};
    struct outcome limit = {0}, set = {0}, write = {0};
    struct rig *rig =
        start((struct db_pipe_options){.write_conns = 1, .answer_ms_max = 10000}, test_database());
    cr_assert(db_pipe_write(rig->pipe, &asked, NULL, keep, &limit));
    cr_assert(db_pipe_write(rig->pipe, &sooner, NULL, keep, &set));
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(60000), keep, &write));
    run_until(rig, &write.calls, 1);
    cr_assert_str_eq(limit.value, "9s", "before the connection counts as lost: %s", limit.value);
    cr_assert_eq(set.outcome, DB_OK);
    cr_assert_eq(write.outcome, DB_FAILED);
    cr_assert_str_eq(write.sqlstate, "57014");
    cr_assert(db_pipe_up(rig->pipe));
    end(rig);
}

Test(pipe, an_unresponsive_server_counts_as_lost)
{
    static const struct db_stmt endless = {"endless", "SET statement_timeout = 0", 0};
    struct outcome set = {0}, write = {0};
    struct rig *rig =
        start((struct db_pipe_options){.write_conns = 1, .answer_ms_max = 3000, .retry_ms_min = 20},
              test_database());
    cr_assert(db_pipe_write(rig->pipe, &endless, NULL, keep, &set));
    cr_assert(db_pipe_write(rig->pipe, &nap_stmt, number(2 * HANG_MS), keep, &write));
    run_until(rig, &write.calls, 1);
    cr_assert_eq(set.outcome, DB_OK);
    cr_assert_eq(write.outcome, DB_UNKNOWN);
    run_until(rig, &rig->ups, 2);
    end(rig);
}

Test(pipe, a_resumed_process_reads_pending_results_before_a_timeout)
{
    static const struct db_stmt lock = {"lock", "SELECT pg_advisory_xact_lock($1)", 1};
    static const char at_work[] = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND datname ="
                                  " current_database() AND pid <> pg_backend_pid()";
    struct outcome first = {0}, write = {0};
    struct rig *rig =
        start((struct db_pipe_options){.write_conns = 1, .answer_ms_max = 3000}, test_database());
    cr_assert(db_pipe_write(rig->pipe, &lock, number(1), keep, &first));
    run_until(rig, &first.calls, 1);
    (void)test_value(rig->side, "SELECT pg_advisory_lock(1)");
    cr_assert(db_pipe_write(rig->pipe, &lock, number(1), keep, &write));
    RUN_UNTIL(rig, strcmp(test_value(rig->side, at_work), "1") == 0)
    cr_assert_eq(write.calls, 0, "it is pending");
    (void)test_value(rig->side, "SELECT pg_advisory_unlock(1)");
    /* PostgreSQL has replied, but the reply is not read yet */
    while (strcmp(test_value(rig->side, at_work), "0") != 0)
        (void)usleep(1000);
    cr_assert_eq(usleep(5000 * 1000), 0); /* longer than answer_ms_max */
    run_until(rig, &write.calls, 1);
    cr_assert_eq(write.outcome, DB_OK);
    cr_assert_eq(rig->downs, 0);
    end(rig);
}

Test(pipe_without, statements_are_refused_once_the_database_is_known_to_be_down)
{
    struct outcome got = {0}, early = {0};
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct db_pipe_options options = {.conninfo = "host=/nonexistent", .retry_ms_min = 5, .retry_ms_max = 10};
    struct db_pipe *pipe = db_pipe_new(loop, &options);
    int64_t until = clock_mono_ms() + HANG_MS;
    cr_assert(db_pipe_read(pipe, &echo_stmt, number(1), keep, &early));
    cr_assert(db_pipe_write(pipe, &echo_stmt, number(1), keep, &early));
    while (!*db_pipe_last_error(pipe) && clock_mono_ms() < until)
        (void)ev_run(loop, EVRUN_ONCE);
    cr_assert_not(db_pipe_up(pipe));
    cr_assert_not(db_pipe_read(pipe, &echo_stmt, number(1), keep, &got));
    cr_assert_not(db_pipe_write(pipe, &echo_stmt, number(1), keep, &got));
    cr_assert(strstr(db_pipe_last_error(pipe), "No such file"), "%s", db_pipe_last_error(pipe));
    db_pipe_free(pipe);
    ev_loop_destroy(loop);
    cr_assert_eq(got.calls, 0);
    cr_assert_eq(early.calls, 2);
    cr_assert_eq(early.outcome, DB_DOWN);
}

/* ---- Callbacks -------------------------------------------------------------------------------------- */

struct chain {
    struct rig *rig;
    int calls;
};

static void send_next(void *arg, const struct db_reply *reply)
{
    struct chain *chain = arg;
    cr_assert_eq(reply->outcome, DB_OK);
    if (++chain->calls < 50)
        cr_assert(chain->calls % 2 ? db_pipe_write(chain->rig->pipe, &echo_stmt, number(1), send_next, chain)
                                   : db_pipe_read(chain->rig->pipe, &echo_stmt, number(1), send_next, chain));
}

Test(pipe, a_callback_may_send_more)
{
    struct rig *rig = start((struct db_pipe_options){.write_conns = 2}, test_database());
    struct chain chain = {.rig = rig};
    cr_assert(db_pipe_read(rig->pipe, &echo_stmt, number(1), send_next, &chain));
    run_until(rig, &chain.calls, 50);
    end(rig);
}
