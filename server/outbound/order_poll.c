/* Polls orders without news and refunds without an answer; see server/outbound/order_poll.h. Everything
 * except start and stop runs on its thread. */
#include "server/outbound/order_poll.h"

#include "api/shop/shop_events.h"
#include "api/shop/shop_query.h"
#include "base/bug.h"
#include "base/log.h"
#include "base/ticker.h"
#include "db/pg.h"
#include "server/operations/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOP_CLAIMS_MAX = 20,  /* orders claimed at once */
    SHOP_BATCHES_MAX = 50, /* batches per poll */
    SHOP_PAGES_MAX = 200,  /* per list */
    SHOP_ARGS_MAX = 4096,
};

struct srv_order_poll {
    char *conninfo;
    const struct pay_shop *pay;
    struct ticker *ticker;
};

static const struct db_stmt do_shop_sweep = {"do_shop_sweep", "SELECT stranded FROM do_shop_sweep($1)", 1};
static const struct db_stmt do_shop_claim_due = {
    "do_shop_claim_due", "SELECT id, token, ref, product FROM do_shop_claim_due($1, $2)", 2};
static const struct db_stmt do_shop_claim_refunds = {
    "do_shop_claim_refunds", "SELECT id, token, payment FROM do_shop_claim_refunds($1, $2)", 2};
static const struct db_stmt do_shop_claim_deliveries = {
    "do_shop_claim_deliveries", "SELECT id, token, ref, product FROM do_shop_claim_deliveries($1, $2)", 2};
static const struct db_stmt do_shop_claim_list = {"do_shop_claim_list",
                                                  "SELECT from_s, until_s FROM do_shop_claim_list($1)", 1};
static const struct db_stmt do_shop_listed = {"do_shop_listed", "SELECT code FROM do_shop_listed($1, $2)", 2};

static void run_noted(struct db_conn *conn, const struct db_stmt *stmt, const struct db_args *args,
                      const char *what, int64_t id)
{
    struct db_error err;
    DB_AUTO PGresult *rows = db_run(conn, stmt, args, &err);
    if (rows)
        log_info("shop_asked", LOG_NUM(what, id), LOG_TEXT("code", PQgetvalue(rows, 0, 0)));
    else /* the next poll queries unrecorded results again */
        log_warn("shop_not_noted", LOG_NUM(what, id), LOG_TEXT("error", err.text));
}

static void note_event(struct db_conn *conn, const struct pay_provider *provider, int64_t id,
                       enum pay_outcome outcome, const struct pay_event *event)
{
    char mem[SHOP_ARGS_MAX];
    struct db_args args;
    db_args_init(&args, mem, sizeof(mem));
    const struct db_stmt *stmt = outcome == PAY_UNKNOWN ? &api_shop_unknown_stmt : &api_shop_event_stmt;
    if (outcome == PAY_UNKNOWN)
        db_args_int(&args, id);
    else
        api_shop_bind_event(&args, provider->name, event);
    run_noted(conn, stmt, &args, "order", id);
}

static void read_order(struct pay_order *order, const PGresult *rows, int i)
{
    *order = (struct pay_order){0};
    (void)snprintf(order->token, sizeof(order->token), "%s", db_text(rows, i, 1));
    (void)snprintf(order->ref, sizeof(order->ref), "%s", db_text(rows, i, 2));
    (void)snprintf(order->product, sizeof(order->product), "%s", db_text(rows, i, 3));
}

static void ask_one(struct srv_order_poll *shop, struct db_conn *conn, const struct pay_provider *provider,
                    const PGresult *rows, int i)
{
    struct pay_order order;
    struct pay_event event;
    char why[PAY_WHY_MAX] = "";
    int64_t id = db_i64(rows, i, 0);
    read_order(&order, rows, i);
    enum pay_outcome outcome = provider->query(shop->pay, &order, &event, why);
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

static void deliver_one(struct srv_order_poll *shop, struct db_conn *conn,
                        const struct pay_provider *provider, const PGresult *rows, int i)
{
    struct pay_order order;
    char why[PAY_WHY_MAX] = "", mem[SHOP_ARGS_MAX];
    struct db_args args;
    int64_t id = db_i64(rows, i, 0);
    read_order(&order, rows, i);
    enum pay_outcome outcome = provider->deliver(shop->pay, &order, why);
    srv_metric_add(METRIC_SHOP_ASKED, 1);
    if (outcome != PAY_OK) {
        log_warn("shop_provider_unavailable", LOG_TEXT("provider", provider->name), LOG_NUM("order", id),
                 LOG_TEXT("why", why));
        return;
    }
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, id);
    db_args_bool(&args, true);
    run_noted(conn, &api_shop_delivered_stmt, &args, "delivered", id);
}

/* The statement that claims items for a provider, and the function that handles each item. */
struct errand {
    const struct db_stmt *claim;
    void (*run)(struct srv_order_poll *shop, struct db_conn *conn, const struct pay_provider *provider,
                const PGresult *rows, int i);
};
static const struct errand asking = {&do_shop_claim_due, ask_one};
static const struct errand refunding = {&do_shop_claim_refunds, refund_one};
static const struct errand delivery = {&do_shop_claim_deliveries, deliver_one};

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
    for (int i = 0; i < n && !atomic_load(shop->pay->net.stop); i++)
        errand->run(shop, conn, provider, rows, i);
    if (!rows)
        log_warn("shop_not_asked", LOG_TEXT("error", err.text));
    return n == SHOP_CLAIMS_MAX && !atomic_load(shop->pay->net.stop);
}

static void run_batches(struct srv_order_poll *shop, struct db_conn *conn,
                        const struct pay_provider *provider, const struct errand *errand)
{
    for (int n = 0; n < SHOP_BATCHES_MAX && run_batch(shop, conn, provider, errand); n++)
        continue;
}

/* --- events that the provider did not deliver --- */

struct listing {
    struct srv_order_poll *shop;
    struct db_conn *conn;
    const struct pay_provider *provider;
    bool whole; /* all events so far were recorded */
};

static void take_listed(void *arg, const struct pay_event *event)
{
    struct listing *listing = arg;
    char mem[SHOP_ARGS_MAX];
    struct db_args args;
    struct db_error err;
    if (event->kind == PAY_NEWS ||
        !listing->whole) /* skip pure news, because open orders are polled anyway */
        return;
    if (atomic_load(listing->shop->pay->net.stop)) {
        listing->whole = false;
        return;
    }
    db_args_init(&args, mem, sizeof(mem));
    api_shop_bind_event(&args, listing->provider->name, event);
    DB_AUTO PGresult *rows = db_run(listing->conn, &api_shop_event_stmt, &args, &err);
    if (!rows) {
        listing->whole = false;
        log_warn("shop_not_noted", LOG_TEXT("provider_event", event->id), LOG_TEXT("error", err.text));
    } else if (strcmp(db_text(rows, 0, 0), "ok") == 0) { /* the provider had not notified us */
        srv_metric_add(METRIC_SHOP_FOUND, 1);
        log_warn("shop_found", LOG_TEXT("provider", listing->provider->name),
                 LOG_TEXT("provider_event", event->id), LOG_NUM("order", db_i64(rows, 0, 1)),
                 LOG_TEXT("state", db_text(rows, 0, 2)));
    }
}

/* Reads the list page by page; false: it stopped before the end. */
static bool read_list(struct listing *listing, int64_t from_s)
{
    struct pay_list list = {.from_s = from_s, .each = take_listed, .ctx = listing};
    char why[PAY_WHY_MAX] = "";
    for (int page = 0; page < SHOP_PAGES_MAX; page++) {
        enum pay_outcome outcome = listing->provider->list(listing->shop->pay, &list, why);
        srv_metric_add(METRIC_SHOP_ASKED, 1);
        if (outcome != PAY_OK) {
            log_warn("shop_not_listed", LOG_TEXT("provider", listing->provider->name), LOG_TEXT("why", why));
            return false;
        }
        if (!listing->whole || !list.cursor[0])
            return listing->whole;
    }
    log_warn("shop_not_listed", LOG_TEXT("provider", listing->provider->name),
             LOG_TEXT("why", "more pages than are read at once"));
    return false;
}

static void list_lately(struct srv_order_poll *shop, struct db_conn *conn,
                        const struct pay_provider *provider)
{
    struct listing listing = {.shop = shop, .conn = conn, .provider = provider, .whole = true};
    char mem[64];
    struct db_args args;
    struct db_error err;
    db_args_init(&args, mem, sizeof(mem));
    db_args_text(&args, provider->name);
    DB_AUTO PGresult *claimed = db_run(conn, &do_shop_claim_list, &args, &err);
    if (!claimed)
        log_warn("shop_not_listed", LOG_TEXT("provider", provider->name), LOG_TEXT("why", err.text));
    if (!claimed || PQntuples(claimed) == 0 || !read_list(&listing, db_i64(claimed, 0, 0)))
        return;
    db_args_init(&args, mem, sizeof(mem));
    db_args_text(&args, provider->name);
    db_args_int(&args, db_i64(claimed, 0, 1));
    DB_AUTO PGresult *noted = db_run(conn, &do_shop_listed, &args, &err);
    if (!noted)
        log_warn("shop_not_listed", LOG_TEXT("provider", provider->name), LOG_TEXT("why", err.text));
}

/* Does all work for one provider. */
static void poll_provider(struct srv_order_poll *shop, struct db_conn *conn,
                          const struct pay_provider *provider)
{
    run_batches(shop, conn, provider, &asking);
    if (provider->refund)
        run_batches(shop, conn, provider, &refunding);
    if (provider->deliver)
        run_batches(shop, conn, provider, &delivery);
    if (provider->list && !atomic_load(shop->pay->net.stop))
        list_lately(shop, conn, provider);
}

static void sweep(struct srv_order_poll *shop, struct db_conn *conn)
{
    char mem[PAY_NAMES_MAX + 64], on[PAY_NAMES_MAX];
    struct db_args args;
    struct db_error err;
    pay_names(shop->pay, pay_is_on, on);
    db_args_init(&args, mem, sizeof(mem));
    api_shop_bind_providers(&args, shop->pay, pay_is_on);
    DB_AUTO PGresult *swept = db_run(conn, &do_shop_sweep, &args, &err);
    if (!swept)
        log_warn("shop_not_swept", LOG_TEXT("error", err.text));
    else if (db_i64(swept, 0, 0) > 0)
        log_warn("shop_provider_off", LOG_NUM("orders", db_i64(swept, 0, 0)), LOG_TEXT("on", on));
}

static void poll(struct ticker *ticker, void *arg)
{
    (void)ticker;
    struct srv_order_poll *shop = arg;
    struct db_error err;
    const struct pay_provider *provider;
    struct db_conn *conn = db_open(shop->conninfo, &err); /* used rarely, so not kept open */
    if (!conn) {
        log_warn("shop_not_asked", LOG_TEXT("error", err.text));
        return;
    }
    db_answer_within(conn, DB_WORK_ANSWER_MS_MAX);
    sweep(shop, conn);
    for (size_t i = 0; (provider = pay_provider_at(i)); i++)
        if (provider->on(shop->pay))
            poll_provider(shop, conn, provider);
    db_close(conn);
}

static void free_shop(struct srv_order_poll *shop)
{
    free(shop->conninfo);
    free(shop);
}

struct srv_order_poll *srv_order_poll_start(const char *conninfo, const struct pay_shop *pay, int64_t every_s)
{
    ASSERT(pay->net.stop);
    struct srv_order_poll *shop = calloc(1, sizeof(*shop));
    if (!shop)
        return NULL;
    shop->conninfo = strdup(conninfo);
    shop->pay = pay;
    shop->ticker = shop->conninfo ? ticker_start("shop", every_s * 1000, poll, shop) : NULL;
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
