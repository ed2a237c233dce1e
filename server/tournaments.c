/* Steps of tournaments, one after another; see tournaments.h. Everything but start and stop runs on its
 * thread. */
#include "server/tournaments.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/log.h"
#include "base/ticker.h"
#include "db/pg.h"

enum {
    LOOK_MS = 1000,
    OPEN_MAX = 50,   /* tables of one step */
    STEPS_MAX = 100, /* of a tournament in one look: what is left is done by the next */
    ARGS_MAX = 1024,
};

struct srv_tournaments {
    const struct srv_config *config;
    struct srv_news *news;
    struct db_conn *conn; /* NULL until it is needed */
    struct ticker *ticker;
};

static const struct db_stmt q_due = {"q_tournaments_due", "SELECT q_tournaments_due()", 0};
static const struct db_stmt do_step = {"do_tournament_step",
                                       "SELECT opened, cancels FROM do_tournament_step($1, $2, $3)", 3};

static bool connected(struct srv_tournaments *tournaments, struct db_error *err)
{
    return db_keep_up(&tournaments->conn, tournaments->config->db, DB_WORK_ANSWER_MS_MAX, err);
}

/* Ids with blanks between them. */
static int64_t tell_opened(const struct srv_tournaments *tournaments, const char *ids)
{
    char *end;
    int64_t n = 0;
    for (int64_t id; (id = strtoll(ids, &end, 10)) > 0; ids = end, n++)
        srv_news_say(tournaments->news, BUS_TABLE_CHANGED, id);
    ASSERT(n <= OPEN_MAX);
    return n;
}

/* false: there was nothing to do, or it failed. */
static bool step(struct srv_tournaments *tournaments, int64_t tournament)
{
    char memory[ARGS_MAX];
    struct db_args args;
    struct db_error err;
    db_args_init(&args, memory, sizeof(memory));
    db_args_int(&args, tournament);
    db_args_text(&args, tournaments->config->node);
    db_args_int(&args, OPEN_MAX);
    DB_AUTO PGresult *rows = db_run(tournaments->conn, &do_step, &args, &err);
    if (!rows) {
        log_warn("tournament_step_failed", LOG_NUM("tournament", tournament), LOG_TEXT("error", err.text));
        return false;
    }
    if (PQntuples(rows) == 0)
        return false;
    int64_t opened = tell_opened(tournaments, db_text(rows, 0, 0));
    if (db_bool(rows, 0, 1))
        srv_news_say(tournaments->news, BUS_TABLE_CANCEL, 0);
    log_debug("tournament_step", LOG_NUM("tournament", tournament), LOG_NUM("opened", opened));
    return true;
}

static void look(struct ticker *ticker, void *arg)
{
    struct srv_tournaments *tournaments = arg;
    struct db_error err;
    if (!connected(tournaments, &err)) {
        log_debug("tournaments_wait", LOG_TEXT("error", err.text)); /* others say that the database is away */
        return;
    }
    DB_AUTO PGresult *due = db_run(tournaments->conn, &q_due, NULL, &err);
    if (!due) {
        log_warn("tournaments_due_failed", LOG_TEXT("error", err.text));
        return;
    }
    /* One that fails is tried again by the next look and holds up no other. */
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
    tournaments->ticker = ticker_start("tournaments", LOOK_MS, look, tournaments);
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
