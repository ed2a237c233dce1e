/* /v1/shop/orders: orders and their state. An order is stored before the server calls the provider, so that
 * it is never lost. It can be found again by the same Idempotency-Key, by the webhook (shop_webhooks.c), or
 * by querying the provider. Only the SQL functions move gold. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/shop/shop_query.h"
#include "base/bug.h"
#include "pay/pay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- state passed between the steps of an order --- */

struct shopping {
    struct api_shop_query query; /* first: see shop_query.h */
    struct pay_opened opened;
    bool asked;
};

static struct shopping *shopping_of(struct api_request *request)
{
    if (!request->own)
        request->own = calloc(1, sizeof(struct shopping));
    return request->own;
}

/* --- POST /v1/shop/orders --- */

static const struct db_stmt do_shop_order = {
    "do_shop_order",
    "SELECT code, to_open, id, token, name, gold, price_minor, currency, expires_s, body, " API_REPEATED
    " FROM do_shop_order($1, $2, $3, $4, $5)",
    5};
static const struct db_stmt do_shop_opened = {"do_shop_opened",
                                              "SELECT code, body FROM do_shop_opened($1, $2, $3)", 3};
static const struct db_stmt do_shop_refused = {"do_shop_refused", "SELECT code FROM do_shop_refused($1)", 1};

static enum api_next begin_order(struct api_request *request)
{
    struct shopping *s = shopping_of(request);
    if (!s)
        return api_refuse(request, API_BUSY);
    s->query.provider = pay_find(request->env->pay, request->body[ORDER_REQUEST_PROVIDER].text);
    if (!s->query.provider || !s->query.provider->open)
        return api_refuse(request, API_SHOP_OFF);
    ASSERT(request->player_id > 0 && request->idempotency_key);
    db_args_int(&request->args, request->player_id);
    api_bind_idempotency(request);
    db_args_text(&request->args, request->body[ORDER_REQUEST_PACK].text);
    db_args_text(&request->args, s->query.provider->name);
    return API_QUERY;
}

static void open_at_provider(struct api_request *request)
{
    struct shopping *s = request->own;
    ASSERT(s->query.provider && s->query.id > 0);
    s->query.outcome = s->query.provider->open(request->env->pay, &s->query.order, &s->opened, s->query.why);
}

static enum api_next reply_refused(struct api_request *request, const PGresult *rows)
{
    return api_refuse_sql(request, api_row_get(rows, 0, "code"));
}

static enum api_next after_open(struct api_request *request, const PGresult *none)
{
    (void)none;
    struct shopping *s = request->own;
    if (s->query.outcome == PAY_AGAIN) {
        api_shop_log_failure(request, &s->query, "shop_provider_unavailable");
        return api_refuse(request, API_PAYMENT_UNAVAILABLE);
    }
    request->writes = true;
    db_args_int(&request->args, s->query.id);
    if (s->query.outcome == PAY_OK) {
        request->stmt = &do_shop_opened;
        request->then = api_json_reply;
        db_args_text(&request->args, s->opened.ref);
        db_args_text(&request->args, s->opened.url);
    } else {
        api_shop_log_failure(request, &s->query, "shop_provider_refused");
        request->stmt = &do_shop_refused;
        request->then = reply_refused;
    }
    return API_QUERY;
}

static void read_order(struct pay_order *order, const PGresult *rows)
{
    (void)snprintf(order->token, sizeof(order->token), "%s", api_row_get(rows, 0, "token"));
    (void)snprintf(order->name, sizeof(order->name), "%s", api_row_get(rows, 0, "name"));
    (void)snprintf(order->currency, sizeof(order->currency), "%s", api_row_get(rows, 0, "currency"));
    order->amount = api_row_get_int(rows, 0, "price_minor");
    order->expires_s = api_row_get_int(rows, 0, "expires_s");
}

static enum api_next reply_order(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0 || strcmp(api_row_get(rows, 0, "code"), "ok") != 0 ||
        !db_bool(rows, 0, db_col(rows, "to_open")))
        return api_json_reply(request, rows);
    struct shopping *s = request->own;
    s->query.id = api_row_get_int(rows, 0, "id");
    read_order(&s->query.order, rows);
    request->work = open_at_provider;
    request->then = after_open;
    return API_FETCH;
}

/* --- GET /v1/shop/orders/{order}: queries the provider if the order waits for news --- */

static const struct db_stmt q_shop_order = {"q_shop_order",
                                            "SELECT code, body, due, provider FROM q_shop_order($1, $2)", 2};
static const struct db_stmt do_shop_claim = {"do_shop_claim",
                                             "SELECT id, token, ref, product FROM do_shop_claim($1)", 1};

static enum api_next reply_look(struct api_request *request, const PGresult *rows);

/* Reads the order's current state, no matter what the result was. */
static enum api_next look_again(struct api_request *request, const PGresult *rows)
{
    (void)rows;
    request->stmt = &q_shop_order;
    request->writes = false;
    request->then = reply_look;
    return api_bind_player_and_id(request);
}

static enum api_next after_claim(struct api_request *request, const PGresult *rows)
{
    return api_shop_query_claimed(request, rows, look_again);
}

static enum api_next reply_look(struct api_request *request, const PGresult *rows)
{
    struct shopping *s = shopping_of(request);
    if (strcmp(api_row_get(rows, 0, "code"), "ok") != 0 || !db_bool(rows, 0, db_col(rows, "due")) || !s ||
        s->asked)
        return api_json_reply(request, rows);
    s->query.provider = pay_find(request->env->pay, api_row_get(rows, 0, "provider"));
    if (!s->query.provider)
        return api_json_reply(request, rows);
    s->asked = true; /* only once */
    request->stmt = &do_shop_claim;
    request->writes = true;
    request->then = after_claim;
    return api_bind_id(request);
}

API_OPERATION(createOrder) = {
    .stmt = &do_shop_order, .writes = true, .begin = begin_order, .reply = reply_order};
API_OPERATION(getOrder) = {.stmt = &q_shop_order, .begin = api_bind_player_and_id, .reply = reply_look};
