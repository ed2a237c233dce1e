/* `rummyd puzzles mine` and `check`: search finished games and re-evaluate puzzles found earlier. A run can
 * be interrupted at any time: a game is marked as searched together with its puzzles. Main thread. */
#include "server/cli/puzzles.h"

#include "base/bug.h"
#include "base/clock.h"
#include "server/cli/cmd.h"
#include "server/cli/puzzle_find.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGS_MAX = 4 * PUZZLE_LINE_MAX, NAME_MAX_BYTES = 40, CHECK_BATCH = 50 };

static const struct db_stmt do_puzzle_claim = {"do_puzzle_claim",
                                               "SELECT code, game_id FROM do_puzzle_claim($1)", 1};
static const struct db_stmt hands_of_game = {
    "hands_of_game", "SELECT record FROM q_game_hands($1) WHERE record IS NOT NULL ORDER BY hand_no", 1};
static const struct db_stmt do_puzzle_mined = {"do_puzzle_mined",
                                               "SELECT code, puzzles_n FROM do_puzzle_mined($1, $2, $3)", 3};
static const struct db_stmt do_puzzle_release = {"do_puzzle_release", "SELECT do_puzzle_release($1)", 1};
static const struct db_stmt q_puzzles_unchecked = {
    "q_puzzles_unchecked", "SELECT id, position, answer, deals_n FROM q_puzzles_unchecked($1, $2)", 2};
static const struct db_stmt do_puzzle_checked = {"do_puzzle_checked", "SELECT do_puzzle_checked($1, $2)", 2};

static struct srv_puzzle_search search; /* too large for the stack */
static char args_mem[ARGS_MAX];
static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

/* The first signal stops the run after the current game. */
static void wait_for_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

struct run {
    struct db_conn *conn;
    struct db_error err;
    int64_t holder, until_ms;
    int64_t games, puzzles;
};

static PGresult *query(struct run *run, const struct db_stmt *stmt, struct db_args *args)
{
    return db_run(run->conn, stmt, args, &run->err);
}

static bool is_over(const struct run *run)
{
    return stopped || clock_mono_ms() >= run->until_ms;
}

/* Reads the records of a game; false: they could not be read. Prints what is wrong with an invalid record. */
static bool read_game(struct run *run, int64_t game, const char *name, struct srv_record_book *book)
{
    struct db_args args;
    db_args_init(&args, args_mem, sizeof args_mem);
    db_args_int(&args, game);
    DB_AUTO PGresult *res = query(run, &hands_of_game, &args);
    if (!res)
        return false;
    for (int i = 0; i < PQntuples(res); i++) {
        const char *text = db_text(res, i, 0);
        if (!srv_record_book_add(book, name, text, strlen(text)))
            break;
    }
    return true;
}

/* Stores the puzzles found. false: *code is the exit code. */
static bool keep(struct run *run, int64_t game, const struct srv_puzzle *found, int n, int *code)
{
    struct db_slice lines[PUZZLE_PER_GAME];
    struct db_args args;
    for (int i = 0; i < n; i++)
        lines[i] = (struct db_slice){found[i].line, strlen(found[i].line)};
    db_args_init(&args, args_mem, sizeof args_mem);
    db_args_int(&args, run->holder);
    db_args_int(&args, game);
    db_args_text_array(&args, lines, (size_t)n);
    DB_AUTO PGresult *res = query(run, &do_puzzle_mined, &args);
    if (!res) {
        *code = srv_fail(SRV_EXIT_FAILED, "%s", run->err.text);
        return false;
    }
    if (strcmp(db_text(res, 0, 0), "ok") != 0) {
        *code = srv_fail(
            SRV_EXIT_FAILED,
            "another job has taken over the search, so this game was not stored; run the job again later");
        return false;
    }
    run->puzzles += db_i64(res, 0, 1);
    run->games++;
    return true;
}

static bool search_game(struct run *run, int64_t game, int *code)
{
    static struct srv_puzzle found[PUZZLE_PER_GAME];
    struct srv_record_book book = {0};
    char name[NAME_MAX_BYTES];

    (void)snprintf(name, sizeof name, "game %lld", (long long)game);
    if (!read_game(run, game, name, &book)) {
        *code = srv_fail(SRV_EXIT_FAILED, "%s", run->err.text);
        return false;
    }
    int n = srv_puzzle_find(&search, &book, (uint64_t)game, found);
    srv_record_book_free(&book);
    return keep(run, game, found, n, code);
}

/* Claims the next game. 0: none left, or an error; *code is the exit code. */
static int64_t claim(struct run *run, int *code)
{
    struct db_args args;
    db_args_init(&args, args_mem, sizeof args_mem);
    db_args_int(&args, run->holder);
    DB_AUTO PGresult *res = query(run, &do_puzzle_claim, &args);
    if (!res) {
        *code = srv_fail(SRV_EXIT_FAILED, "%s", run->err.text);
        return 0;
    }
    if (strcmp(db_text(res, 0, 0), "mining_held") == 0)
        (void)printf("another job is already searching for puzzles\n");
    return db_i64(res, 0, 1);
}

static void release(struct run *run)
{
    struct db_args args;
    db_args_init(&args, args_mem, sizeof args_mem);
    db_args_int(&args, run->holder);
    PQclear(query(run, &do_puzzle_release, &args));
}

int srv_puzzles_mine(struct db_conn *conn, const struct srv_puzzles_wish *wish)
{
    int64_t begun = clock_mono_ms(), game;
    struct run run = {.conn = conn, .until_ms = begun + wish->seconds * 1000};
    int code = SRV_EXIT_OK;

    randombytes_buf(&run.holder, sizeof run.holder);
    wait_for_signals();
    while (run.games < wish->games && run.puzzles < wish->limit && !is_over(&run) &&
           (game = claim(&run, &code)) > 0)
        if (!search_game(&run, game, &code))
            break;
    release(&run);
    (void)printf("%lld games searched, %llu decisions evaluated, %lld puzzles found (%llu too obvious, "
                 "%llu not confirmed), %.1f s\n",
                 (long long)run.games, (unsigned long long)search.moments, (long long)run.puzzles,
                 (unsigned long long)search.trivial, (unsigned long long)search.unconfirmed,
                 (double)(clock_mono_ms() - begun) / 1000);
    return code;
}

/* ---- Checking ---- */

/* false: the database is unreachable. */
static bool check_one(struct run *run, int64_t id, const char *position, const char *answer, int64_t deals,
                      int64_t *disputed)
{
    struct db_args args;
    int64_t deeper = deals * PUZZLE_CHECK_TIMES;
    enum srv_puzzle_verdict verdict =
        srv_puzzle_check(&search, position, answer,
                         (uint32_t)(deeper < EVALUATE_DEALS_MAX ? deeper : EVALUATE_DEALS_MAX), (uint64_t)id);
    *disputed += verdict != PUZZLE_HOLDS;
    if (verdict != PUZZLE_HOLDS)
        (void)printf("puzzle %lld: %s, withdrawn\n", (long long)id,
                     verdict == PUZZLE_DISPUTED ? "disputed" : "invalid position");
    db_args_init(&args, args_mem, sizeof args_mem);
    db_args_int(&args, id);
    db_args_bool(&args, verdict == PUZZLE_HOLDS);
    DB_AUTO PGresult *res = query(run, &do_puzzle_checked, &args);
    return res != NULL;
}

int srv_puzzles_check(struct db_conn *conn, const struct srv_puzzles_wish *wish)
{
    int64_t begun = clock_mono_ms(), after = 0, checked = 0, disputed = 0;
    struct run run = {.conn = conn, .until_ms = begun + wish->seconds * 1000};
    bool more = true;

    wait_for_signals();
    while (more && checked < wish->limit && !is_over(&run)) {
        struct db_args args;
        db_args_init(&args, args_mem, sizeof args_mem);
        db_args_int(&args, after);
        db_args_int(&args, CHECK_BATCH);
        DB_AUTO PGresult *res = query(&run, &q_puzzles_unchecked, &args);
        if (!res)
            return srv_fail(SRV_EXIT_FAILED, "%s", run.err.text);
        more = PQntuples(res) == CHECK_BATCH;
        for (int i = 0; i < PQntuples(res) && checked < wish->limit && !is_over(&run); i++) {
            after = db_i64(res, i, 0);
            if (!check_one(&run, after, db_text(res, i, 1), db_text(res, i, 2), db_i64(res, i, 3), &disputed))
                return srv_fail(SRV_EXIT_FAILED, "%s", run.err.text);
            checked++;
        }
    }
    (void)printf("%lld puzzles checked, %lld disputed (%.2f %%), %.1f s\n", (long long)checked,
                 (long long)disputed, checked > 0 ? 100.0 * (double)disputed / (double)checked : 0.0,
                 (double)(clock_mono_ms() - begun) / 1000);
    return SRV_EXIT_OK;
}
