/* Appends committed entries to the ledger's hash chain, and logs the head of each day, so that logs kept
 * elsewhere can prove the chain; see server/operations/ledger_seal.h. Everything except start and stop runs
 * on its thread. */
#include "server/operations/ledger_seal.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/ticker.h"
#include "db/ledger_seal.h"
#include "server/operations/metrics.h"

#include <stdlib.h>
#include <string.h>

enum { SEAL_EVERY_MS = 5000 };

struct srv_ledger_seal {
    char *conninfo;
    struct db_conn *conn; /* NULL until needed */
    struct ticker *ticker;
};

static bool connected(struct srv_ledger_seal *seal, struct db_error *err)
{
    return db_keep_up(&seal->conn, seal->conninfo, DB_WORK_ANSWER_MS_MAX, err);
}

static void seal_all(struct ticker *ticker, void *arg)
{
    struct srv_ledger_seal *seal = arg;
    struct db_error err;
    struct db_sealed done = {.more = true};
    if (!connected(seal, &err)) {
        log_debug("ledger_not_sealed",
                  LOG_TEXT("error", err.text)); /* other threads log that the database is unreachable */
        return;
    }
    while (done.more && !ticker_stopping(ticker)) {
        if (!db_ledger_seal(seal->conn, &done, &err)) {
            log_warn("ledger_not_sealed", LOG_TEXT("error", err.text));
            return;
        }
        if (done.new_head[0])
            log_info("ledger_head", LOG_TEXT("head", done.new_head));
    }
    if (!done.more)
        srv_metric_set(METRIC_LEDGER_SEALED_AT, clock_unix_ms() / 1000);
}

static void free_seal(struct srv_ledger_seal *seal)
{
    db_close(seal->conn);
    free(seal->conninfo);
    free(seal);
}

struct srv_ledger_seal *srv_ledger_seal_start(const char *conninfo)
{
    struct srv_ledger_seal *seal = calloc(1, sizeof(*seal));
    if (!seal)
        return NULL;
    seal->conninfo = strdup(conninfo);
    seal->ticker = seal->conninfo ? ticker_start("ledger", SEAL_EVERY_MS, seal_all, seal) : NULL;
    if (!seal->ticker) {
        free_seal(seal);
        return NULL;
    }
    return seal;
}

void srv_ledger_seal_stop(struct srv_ledger_seal *seal)
{
    if (!seal)
        return;
    ticker_stop(seal->ticker);
    free_seal(seal);
}
