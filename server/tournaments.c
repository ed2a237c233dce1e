/* Advances tournaments step by step; see tournaments.h. Everything except start and stop runs on its
 * thread. */
#include "server/tournaments.h"

#include <stdlib.h>

#include "api/core/rows.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/ticker.h"
#include "db/pg.h"
#include "server/draw/read.h"

enum {
    POLL_MS = 1000,
    OPEN_MAX = 50,   /* tables per step */
    STEPS_MAX = 100, /* per tournament and poll; the next poll continues */
    ARGS_MAX = 1024 + 12 * SRV_DRAW_MAX,
};

/* The draw of a Swiss round, made by this node. n 0: none. */
struct drawn {
    int64_t draw;
    int n;
    struct srv_drawn tables;
    int32_t seats[SRV_DRAW_MAX];
};

struct srv_tournaments {
    const struct srv_config *config;
    struct srv_news *news;
    struct db_conn *conn; /* NULL until needed */
    struct ticker *ticker;
    struct drawn drawn;
    char args[ARGS_MAX];
};

static const struct db_stmt q_due = {"q_tournaments_due", "SELECT q_tournaments_due()", 0};
static const struct db_stmt do_step = {
    "do_tournament_step", "SELECT opened, cancels, pairs FROM do_tournament_step($1, $2, $3, $4, $5, $6, $7)",
    7};
static const struct db_stmt q_order = {
    "q_tournament_order", "SELECT draw, seats, n, key, entrants, tables FROM q_tournament_order($1)", 1};

static bool connected(struct srv_tournaments *tournaments, struct db_error *err)
{
    return db_keep_up(&tournaments->conn, tournaments->config->db, DB_WORK_ANSWER_MS_MAX, err);
}

/* ids: as PostgreSQL writes a bigint array. */
static int64_t notify_opened(const struct srv_tournaments *tournaments, const char *ids)
{
    int64_t n = 0;
    for (int64_t id; (id = api_row_next_id(&ids)) > 0; n++)
        srv_news_publish(tournaments->news, BUS_TABLE_CHANGED, id);
    ASSERT(n <= OPEN_MAX);
    return n;
}

/* Runs a step with its draw, if any. The caller clears the result. NULL: the step failed. */
static PGresult *run_step(struct srv_tournaments *tournaments, int64_t tournament, const struct drawn *drawn)
{
    struct db_args args;
    struct db_error err;
    db_args_init(&args, tournaments->args, sizeof(tournaments->args));
    db_args_int(&args, tournament);
    db_args_text(&args, tournaments->config->node);
    db_args_int(&args, OPEN_MAX);
    if (drawn->n > 0) {
        db_args_int(&args, drawn->draw);
        db_args_i32_array(&args, drawn->seats, (size_t)drawn->n);
        db_args_int(&args, drawn->tables.repeats);
        db_args_bool(&args, drawn->tables.least);
    } else {
        for (int i = 0; i < 4; i++)
            db_args_null(&args);
    }
    PGresult *rows = db_run(tournaments->conn, &do_step, &args, &err);
    if (!rows)
        log_warn("tournament_step_failed", LOG_NUM("tournament", tournament), LOG_TEXT("error", err.text));
    return rows;
}

/* Draws the next round of a Swiss tournament, without a lock, because every node makes the same draw.
 * false: the round is no longer due, or the draw failed. */
static bool draw(struct srv_tournaments *tournaments, int64_t tournament, struct drawn *drawn)
{
    char memory[64];
    struct db_args args;
    struct db_error err;
    struct srv_draw from;
    db_args_init(&args, memory, sizeof(memory));
    db_args_int(&args, tournament);
    DB_AUTO PGresult *rows = db_run(tournaments->conn, &q_order, &args, &err);
    if (!rows) {
        log_warn("tournament_step_failed", LOG_NUM("tournament", tournament), LOG_TEXT("error", err.text));
        return false;
    }
    if (PQntuples(rows) == 0)
        return false;
    const int64_t start_ms = clock_mono_ms();
    drawn->draw = db_i64(rows, 0, 0);
    drawn->n = (int)db_i64(rows, 0, 2);
    drawn->tables = (struct srv_drawn){.order = drawn->seats};
    bool ok =
        srv_draw_read(&from, drawn->n, (int)db_i64(rows, 0, 1), db_text(rows, 0, 4), db_text(rows, 0, 5));
    if (ok) {
        ok = db_bytes(rows, 0, 3, from.key, sizeof(from.key)) == sizeof(from.key) &&
             srv_draw_make(&from, &drawn->tables);
        srv_draw_drop(&from);
    }
    if (!ok) {
        log_warn("tournament_draw_failed", LOG_NUM("tournament", tournament), LOG_NUM("draw", drawn->draw));
        return false;
    }
    log_info("tournament_drawn", LOG_NUM("tournament", tournament), LOG_NUM("draw", drawn->draw),
             LOG_NUM("entrants", drawn->n), LOG_NUM("repeats", drawn->tables.repeats),
             LOG_NUM("least", drawn->tables.least), LOG_NUM("ms", clock_mono_ms() - start_ms));
    return true;
}

/* false: there was nothing to do, or the step failed. */
static bool step(struct srv_tournaments *tournaments, int64_t tournament)
{
    struct drawn *drawn = &tournaments->drawn;
    drawn->n = 0;
    for (int i = 0; i < 2; i++) {
        DB_AUTO PGresult *rows = run_step(tournaments, tournament, drawn);
        if (!rows || PQntuples(rows) == 0)
            return false;
        if (db_bool(rows, 0, 2)) {
            if (i > 0 || !draw(tournaments, tournament, drawn))
                return false; /* the state has changed in the meantime; the next poll continues */
            continue;
        }
        int64_t opened = notify_opened(tournaments, db_text(rows, 0, 0));
        if (db_bool(rows, 0, 1))
            srv_news_publish(tournaments->news, BUS_TABLE_CANCEL, 0);
        log_debug("tournament_step", LOG_NUM("tournament", tournament), LOG_NUM("opened", opened));
        return true;
    }
    return false;
}

static void poll(struct ticker *ticker, void *arg)
{
    struct srv_tournaments *tournaments = arg;
    struct db_error err;
    if (!connected(tournaments, &err)) {
        log_debug("tournaments_wait",
                  LOG_TEXT("error", err.text)); /* other threads log that the database is unreachable */
        return;
    }
    DB_AUTO PGresult *due = db_run(tournaments->conn, &q_due, NULL, &err);
    if (!due) {
        log_warn("tournaments_due_failed", LOG_TEXT("error", err.text));
        return;
    }
    /* A tournament that fails is retried at the next poll and does not delay the others. */
    for (int i = 0; i < PQntuples(due); i++)
        for (int n = 0; n < STEPS_MAX && !ticker_stopping(ticker); n++)
            if (!step(tournaments, db_i64(due, i, 0)))
                break;
}

static void free_tournaments(struct srv_tournaments *tournaments)
{
    db_close(tournaments->conn);
    free(tournaments);
}

struct srv_tournaments *srv_tournaments_start(const struct srv_config *config, struct srv_news *news)
{
    struct srv_tournaments *tournaments = calloc(1, sizeof(*tournaments));
    if (!tournaments)
        return NULL;
    *tournaments = (struct srv_tournaments){.config = config, .news = news};
    tournaments->ticker = ticker_start("tournaments", POLL_MS, poll, tournaments);
    if (!tournaments->ticker) {
        free_tournaments(tournaments);
        return NULL;
    }
    return tournaments;
}

void srv_tournaments_stop(struct srv_tournaments *tournaments)
{
    if (!tournaments)
        return;
    ticker_stop(tournaments->ticker);
    free_tournaments(tournaments);
}
