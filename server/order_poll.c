/* Looks for orders without news and refunds without an answer; see server/order_poll.h. Everything but start
 * and stop runs on its thread. */
#include "server/order_poll.h"

#include "api/shop_events.h"
#include "base/bug.h"
#include "base/log.h"
#include "base/ticker.h"
#include "db/pg.h"
#include "server/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOP_CLAIMS_MAX = 20,  /* orders claimed at once */
    SHOP_BATCHES_MAX = 50, /* of them between two pauses */
    SHOP_ARGS_MAX = 2048,
};

struct srv_order_poll {
    char *conninfo;
    const struct pay_shop *pay;
    struct ticker *ticker;
};

static const struct db_stmt do_shop_sweep = {"do_shop_sweep",
                                             "SELECT expired, forgotten FROM do_shop_sweep()", 0};
static const struct db_stmt do_shop_claim_due = {"do_shop_claim_due",
                                                 "SELECT id, token, ref FROM do_shop_claim_due($1, $2)", 2};
static const struct db_stmt do_shop_claim_refunds = {
    "do_shop_claim_refunds", "SELECT id, token, payment FROM do_shop_claim_refunds($1, $2)", 2};
static const struct db_stmt do_shop_unknown = {"do_shop_unknown", "SELECT code FROM do_shop_unknown($1)", 1};

static void run_noted(struct db_conn *conn, const struct db_stmt *stmt, const struct db_args *args,
                      const char *what, int64_t id)
{
    struct db_error err;
    DB_AUTO PGresult *rows = db_run(conn, stmt, args, &err);
    if (rows)
        log_info("shop_asked", LOG_NUM(what, id), LOG_TEXT("code", PQgetvalue(rows, 0, 0)));
    else /* what was not noted is asked for again */
        log_warn("shop_not_noted", LOG_NUM(what, id), LOG_TEXT("error", err.text));
}

static void note_event(struct db_conn *conn, const struct pay_provider *provider, int64_t id,
                       enum pay_outcome outcome, const struct pay_event *event)
{
    char mem[SHOP_ARGS_MAX];
    struct db_args args;
    db_args_init(&args, mem, sizeof(mem));
    const struct db_stmt *stmt = outcome == PAY_UNKNOWN ? &do_shop_unknown : &api_shop_event_stmt;
    if (outcome == PAY_UNKNOWN)
        db_args_int(&args, id);
    else
        api_shop_bind_event(&args, provider->name, event);
    run_noted(conn, stmt, &args, "order", id);
}

static void ask_one(struct srv_order_poll *shop, struct db_conn *conn, const struct pay_provider *provider,
                    const PGresult *rows, int i)
{
    struct pay_order order = {0};
    struct pay_event event;
    char why[PAY_WHY_MAX] = "";
    int64_t id = db_i64(rows, i, 0);
    (void)snprintf(order.token, sizeof(order.token), "%s", db_text(rows, i, 1));
    (void)snprintf(order.ref, sizeof(order.ref), "%s", db_text(rows, i, 2));
    enum pay_outcome outcome = provider->ask(shop->pay, &order, &event, why);
    srv_metric_add(METRIC_SHOP_ASKED, 1);
    if (outcome == PAY_UNKNOWN || (outcome == PAY_OK && event.kind != PAY_NOTHING))
        note_event(conn, provider, id, outcome, &event);
    else if (outcome != PAY_OK)
        log_warn("shop_provider_unavailable", LOG_TEXT("provider", provider->name), LOG_NUM("order", id),
                 LOG_TEXT("why", why));
}

static void refund_one(struct srv_order_poll *shop, struct db_conn *conn, const struct pay_provider *provider,
                       const PGresult *rows, int i)
{
    struct pay_refund refund = {0};
    char ref[PAY_REF_MAX], why[PAY_WHY_MAX] = "", mem[SHOP_ARGS_MAX];
    struct db_args args;
    int64_t id = db_i64(rows, i, 0);
    (void)snprintf(refund.token, sizeof(refund.token), "%s", db_text(rows, i, 1));
    (void)snprintf(refund.payment, sizeof(refund.payment), "%s", db_text(rows, i, 2));
    enum pay_outcome outcome = provider->refund(shop->pay, &refund, ref, why);
    srv_metric_add(METRIC_SHOP_ASKED, 1);
    if (outcome == PAY_AGAIN) {
        log_warn("shop_provider_unavailable", LOG_TEXT("provider", provider->name), LOG_NUM("refund", id),
                 LOG_TEXT("why", why));
        return;
    }
    db_args_init(&args, mem, sizeof(mem));
    api_shop_bind_refund_said(&args, id, outcome == PAY_OK, ref, why);
    run_noted(conn, &api_shop_refund_said_stmt, &args, "refund", id);
}

/* What is claimed of a provider's, and what is done with each. */
struct errand {
    const struct db_stmt *claim;
    void (*run)(struct srv_order_poll *shop, struct db_conn *conn, const struct pay_provider *provider,
                const PGresult *rows, int i);
};
static const struct errand errands[] = {{&do_shop_claim_due, ask_one}, {&do_shop_claim_refunds, refund_one}};

/* false: there is nothing more to do for now. */
static bool run_batch(struct srv_order_poll *shop, struct db_conn *conn, const struct pay_provider *provider,
                      const struct errand *errand)
{
    char mem[64];
    struct db_args args;
    struct db_error err;
    db_args_init(&args, mem, sizeof(mem));
    db_args_text(&args, provider->name);
    db_args_int(&args, SHOP_CLAIMS_MAX);
    DB_AUTO PGresult *rows = db_run(conn, errand->claim, &args, &err);
    int n = rows ? PQntuples(rows) : 0;
    for (int i = 0; i < n && !atomic_load(shop->pay->stop); i++)
        errand->run(shop, conn, provider, rows, i);
    if (!rows)
        log_warn("shop_not_asked", LOG_TEXT("error", err.text));
    return n == SHOP_CLAIMS_MAX && !atomic_load(shop->pay->stop);
}

static void look(struct ticker *ticker, void *arg)
{
    (void)ticker;
    struct srv_order_poll *shop = arg;
    struct db_error err;
    const struct pay_provider *provider;
    struct db_conn *conn = db_open(shop->conninfo, &err); /* seldom used: not kept */
    if (!conn) {
        log_warn("shop_not_asked", LOG_TEXT("error", err.text));
        return;
    }
    PGresult *swept = db_run(conn, &do_shop_sweep, NULL, &err);
    db_result_drop(&swept);
    for (size_t i = 0; (provider = pay_provider_at(i)); i++)
        for (size_t e = 0; provider->on(shop->pay) && e < ARRAY_LEN(errands); e++)
            for (int n = 0; n < SHOP_BATCHES_MAX && run_batch(shop, conn, provider, &errands[e]); n++)
                continue;
    db_close(conn);
}

static void free_shop(struct srv_order_poll *shop)
{
    free(shop->conninfo);
    free(shop);
}

struct srv_order_poll *srv_order_poll_start(const char *conninfo, const struct pay_shop *pay, int64_t every_s)
{
    ASSERT(pay->stop);
    struct srv_order_poll *shop = calloc(1, sizeof(*shop));
    if (!shop)
        return NULL;
    shop->conninfo = strdup(conninfo);
    shop->pay = pay;
    shop->ticker = shop->conninfo ? ticker_start("shop", every_s, look, shop) : NULL;
    if (!shop->ticker) {
        free_shop(shop);
        return NULL;
    }
    return shop;
}

void srv_order_poll_stop(struct srv_order_poll *shop)
{
    if (!shop)
        return;
    ticker_stop(shop->ticker);
    free_shop(shop);
}
