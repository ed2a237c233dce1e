/* /v1/shop/orders: orders and what became of them. An order is written down before a provider hears of it, so
 * whatever is lost on the way is found again: by the same Idempotency-Key, by the webhook (shop_webhooks.c),
 * or by asking. Gold moves in the SQL functions alone. REST loops. */
#include "api/json_reply.h"
#include "api/page.h"
#include "api/resources.h"
#include "api/rows.h"
#include "api/shop_events.h"
#include "api/validators.h"
#include "base/bug.h"
#include "base/log.h"
#include "pay/pay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what the steps of an order hand on --- */

struct shopping {
    const struct pay_provider *provider;
    int64_t id;
    struct pay_order order;
    struct pay_opened opened;
    struct pay_event event;
    enum pay_outcome outcome;
    bool asked;
    char why[PAY_WHY_MAX];
};

static struct shopping *shopping_of(struct api_request *request)
{
    if (!request->own)
        request->own = calloc(1, sizeof(struct shopping));
    return request->own;
}

static void tell_trouble(const struct api_request *request, const struct shopping *s, const char *what)
{
    ASSERT(s->provider && s->outcome != PAY_OK);
    log_warn(what, LOG_TEXT("trace_id", request->trace_id), LOG_TEXT("provider", s->provider->name),
             LOG_NUM("order", s->id), LOG_TEXT("why", s->why));
}

/* --- POST /v1/shop/orders --- */

enum { MEMBER_PACK, MEMBER_PROVIDER };

static const struct api_spec_member order_members[] = {
    [MEMBER_PACK] = {.name = "pack",
                     .type = API_SPEC_TEXT,
                     .required = true,
                     .min = 1,
                     .max = 32,
                     .valid = api_valid_name,
                     .fault = API_FAULT_BAD_NAME},
    [MEMBER_PROVIDER] = {.name = "provider",
                         .type = API_SPEC_TEXT,
                         .required = true,
                         .min = 1,
                         .max = 16,
                         .valid = api_valid_name,
                         .fault = API_FAULT_BAD_NAME},
};
static const struct api_spec order_spec = {
    .members = order_members, .members_n = ARRAY_LEN(order_members), .bytes_max = 512};

static const struct db_stmt do_shop_order = {
    "do_shop_order",
    "SELECT code, to_open, id, token, name, gold, price_minor, currency, expires_s, body "
    "FROM do_shop_order($1, $2, $3, $4, $5)",
    5};
static const struct db_stmt do_shop_opened = {"do_shop_opened",
                                              "SELECT code, body FROM do_shop_opened($1, $2, $3)", 3};
static const struct db_stmt do_shop_refused = {"do_shop_refused", "SELECT code FROM do_shop_refused($1)", 1};

static enum api_next begin_order(struct api_request *request)
{
    struct shopping *s = shopping_of(request);
    if (!s)
        return api_refuse(request, API_BUSY);
    s->provider = pay_find(request->env->pay, request->body[MEMBER_PROVIDER].text);
    if (!s->provider)
        return api_refuse(request, API_SHOP_OFF);
    ASSERT(request->player_id > 0 && request->idempotency_key);
    db_args_int(&request->args, request->player_id);
    api_bind_idempotency(request);
    db_args_text(&request->args, request->body[MEMBER_PACK].text);
    db_args_text(&request->args, s->provider->name);
    return API_QUERY;
}

static enum api_next reply_created(struct api_request *request, const PGresult *rows)
{
    enum api_next next = api_json_reply(request, rows);
    if (request->code == API_OK)
        request->status = 201;
    return next;
}

static void open_at_provider(struct api_request *request)
{
    struct shopping *s = request->own;
    ASSERT(s->provider && s->id > 0);
    s->outcome = s->provider->open(request->env->pay, &s->order, &s->opened, s->why);
}

static enum api_next reply_refused(struct api_request *request, const PGresult *rows)
{
    return api_refuse_sql(request, api_row_get(rows, 0, "code"));
}

static enum api_next after_open(struct api_request *request, const PGresult *none)
{
    (void)none;
    struct shopping *s = request->own;
    if (s->outcome == PAY_AGAIN) {
        tell_trouble(request, s, "shop_provider_unavailable");
        return api_refuse(request, API_PAYMENT_UNAVAILABLE);
    }
    request->writes = true;
    db_args_int(&request->args, s->id);
    if (s->outcome == PAY_OK) {
        request->stmt = &do_shop_opened;
        request->then = reply_created;
        db_args_text(&request->args, s->opened.ref);
        db_args_text(&request->args, s->opened.url);
    } else {
        tell_trouble(request, s, "shop_provider_refused");
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
        return reply_created(request, rows);
    struct shopping *s = request->own;
    s->id = api_row_get_int(rows, 0, "id");
    read_order(&s->order, rows);
    request->work = open_at_provider;
    request->then = after_open;
    return API_FETCH;
}

/* --- GET /v1/shop/orders/{order}: asks the provider when the order waits for news --- */

static const struct db_stmt q_shop_order = {"q_shop_order",
                                            "SELECT code, body, due, provider FROM q_shop_order($1, $2)", 2};
static const struct db_stmt do_shop_claim = {"do_shop_claim", "SELECT id, token, ref FROM do_shop_claim($1)",
                                             1};
static const struct db_stmt do_shop_unknown = {"do_shop_unknown", "SELECT code FROM do_shop_unknown($1)", 1};

static enum api_next reply_look(struct api_request *request, const PGresult *rows);

/* Reads the order as it is now, whatever was learned. */
static enum api_next look_again(struct api_request *request, const PGresult *rows)
{
    (void)rows;
    request->stmt = &q_shop_order;
    request->writes = false;
    request->then = reply_look;
    return api_bind_player_and_id(request);
}

static void ask_provider(struct api_request *request)
{
    struct shopping *s = request->own;
    ASSERT(s->provider && s->id > 0 && s->asked);
    s->outcome = s->provider->ask(request->env->pay, &s->order, &s->event, s->why);
}

static enum api_next after_ask(struct api_request *request, const PGresult *none)
{
    struct shopping *s = request->own;
    request->writes = true;
    request->then = look_again;
    if (s->outcome == PAY_UNKNOWN) {
        request->stmt = &do_shop_unknown;
        db_args_int(&request->args, s->id);
        return API_QUERY;
    }
    if (s->outcome != PAY_OK)
        tell_trouble(request, s, "shop_provider_unavailable");
    if (s->outcome != PAY_OK || s->event.kind == PAY_NOTHING)
        return look_again(request, none);
    request->stmt = &api_shop_event_stmt;
    api_shop_bind_event(&request->args, s->provider->name, &s->event);
    return API_QUERY;
}

static enum api_next after_claim(struct api_request *request, const PGresult *rows)
{
    struct shopping *s = request->own;
    if (PQntuples(rows) == 0)
        return look_again(request, rows);
    s->id = api_row_get_int(rows, 0, "id");
    (void)snprintf(s->order.token, sizeof(s->order.token), "%s", api_row_get(rows, 0, "token"));
    (void)snprintf(s->order.ref, sizeof(s->order.ref), "%s", api_row_get(rows, 0, "ref"));
    request->work = ask_provider;
    request->then = after_ask;
    return API_FETCH;
}

static enum api_next reply_look(struct api_request *request, const PGresult *rows)
{
    struct shopping *s = shopping_of(request);
    if (strcmp(api_row_get(rows, 0, "code"), "ok") != 0 || !db_bool(rows, 0, db_col(rows, "due")) || !s ||
        s->asked)
        return api_json_reply(request, rows);
    s->provider = pay_find(request->env->pay, api_row_get(rows, 0, "provider"));
    if (!s->provider)
        return api_json_reply(request, rows);
    s->asked = true; /* once */
    request->stmt = &do_shop_claim;
    request->writes = true;
    request->then = after_claim;
    return api_bind_id(request);
}

/* --- GET /v1/shop/orders --- */

static const char list_orders[] = "orders";

static const struct db_stmt q_shop_orders = {"q_shop_orders",
                                             "SELECT id, body FROM q_shop_orders($1, $2, $3)", 3};

static enum api_next bind_orders(struct api_request *request)
{
    return api_page_bind(request, list_orders);
}

static void write_item(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, api_row_get(rows, i, "body"));
}

static enum api_next reply_orders(struct api_request *request, const PGresult *rows)
{
    return api_page_reply(request, list_orders, rows, write_item);
}

const struct api_route api_shop_orders_routes[] = {
    {.method = "POST",
     .path = "/v1/shop/orders",
     .id = "createOrder",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .body = &order_spec,
     .stmt = &do_shop_order,
     .writes = true,
     .begin = begin_order,
     .reply = reply_order},
    {.method = "GET",
     .path = "/v1/shop/orders",
     .id = "listOrders",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_shop_orders,
     .begin = bind_orders,
     .reply = reply_orders},
    {.method = "GET",
     .path = "/v1/shop/orders/{order}",
     .id = "getOrder",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_shop_order,
     .begin = api_bind_player_and_id,
     .reply = reply_look},
};
const size_t api_shop_orders_routes_n = ARRAY_LEN(api_shop_orders_routes);
