/* /v1/shop: packs of gold, orders and what became of them. An order is written down before a provider hears
 * of it, so whatever is lost on the way is found again: by the same Idempotency-Key, by the webhook
 *, or by asking. Gold moves in the SQL functions alone. REST loops. */
#include "api/shop.h"

#include "api/form.h"
#include "api/page.h"
#include "api/resources.h"
#include "api/rows.h"
#include "api/tree.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "pay/pay.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKS_BYTES_MAX (16 * 1024)

/* --- GET /v1/shop/packs --- */

struct api_packs {
    pthread_mutex_t lock;
    int64_t read_ms; /* monotonic; 0: never */
    char items[PACKS_BYTES_MAX];
};

struct api_packs *api_packs_new(void)
{
    struct api_packs *packs = calloc(1, sizeof(*packs));
    if (packs && pthread_mutex_init(&packs->lock, NULL) != 0) {
        free(packs);
        return NULL;
    }
    return packs;
}

void api_packs_free(struct api_packs *packs)
{
    if (!packs)
        return;
    (void)pthread_mutex_destroy(&packs->lock);
    free(packs);
}

static const struct db_stmt q_shop_packs = {"q_shop_packs", "SELECT body FROM q_shop_packs()", 0};

static enum api_next write_packs(struct api_call *call)
{
    struct api_packs *packs = call->env->packs;
    const struct pay_provider *provider;
    struct buf *out = api_reply_json(call, 200);
    (void)pthread_mutex_lock(&packs->lock);
    json_key(out, "items");
    json_raw(out, packs->items);
    (void)pthread_mutex_unlock(&packs->lock);
    json_key(out, "providers");
    json_open(out, '[');
    for (size_t i = 0; (provider = pay_provider_at(i)); i++)
        if (provider->on(call->env->pay))
            json_text(out, provider->name);
    json_close(out, ']');
    json_close(out, '}');
    return API_DONE;
}

static enum api_next keep_packs(struct api_call *call, const PGresult *rows)
{
    struct api_packs *packs = call->env->packs;
    const char *items = row_get(rows, 0, "body");
    size_t len = strlen(items);
    if (len >= PACKS_BYTES_MAX)
        return api_refuse(call, API_INTERNAL);
    (void)pthread_mutex_lock(&packs->lock);
    memcpy(packs->items, items, len + 1);
    packs->read_ms = clock_mono_ms();
    (void)pthread_mutex_unlock(&packs->lock);
    return write_packs(call);
}

static enum api_next begin_packs(struct api_call *call)
{
    struct api_packs *packs = call->env->packs;
    (void)pthread_mutex_lock(&packs->lock);
    bool fresh = packs->read_ms > 0 && clock_mono_ms() - packs->read_ms < API_PACKS_KEPT_MS;
    (void)pthread_mutex_unlock(&packs->lock);
    return fresh ? write_packs(call) : API_QUERY;
}

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

static struct shopping *shopping_of(struct api_call *call)
{
    if (!call->own)
        call->own = calloc(1, sizeof(struct shopping));
    return call->own;
}

static void tell_trouble(const struct api_call *call, const struct shopping *s, const char *what)
{
    log_warn(what, LOG_TEXT("trace_id", call->trace_id), LOG_TEXT("provider", s->provider->name),
             LOG_NUM("order", s->id), LOG_TEXT("why", s->why));
}

/* --- POST /v1/shop/orders --- */

enum { MEMBER_PACK, MEMBER_PROVIDER };

static const struct spec_member order_members[] = {
    [MEMBER_PACK] = {.name = "pack",
                     .type = SPEC_TEXT,
                     .required = true,
                     .min = 1,
                     .max = 32,
                     .form = form_name,
                     .form_is = "must be the id of a pack"},
    [MEMBER_PROVIDER] = {.name = "provider",
                         .type = SPEC_TEXT,
                         .required = true,
                         .min = 1,
                         .max = 16,
                         .form = form_name,
                         .form_is = "must be the name of a provider"},
};
static const struct spec order_spec = {
    .members = order_members, .members_n = ARRAY_LEN(order_members), .bytes_max = 512};

static const struct db_stmt do_shop_order = {
    "do_shop_order",
    "SELECT code, to_open, id, token, name, gold, price_minor, currency, expires_s, body "
    "FROM do_shop_order($1, $2, $3, $4, $5)",
    5};
static const struct db_stmt do_shop_opened = {"do_shop_opened",
                                              "SELECT code, body FROM do_shop_opened($1, $2, $3)", 3};
static const struct db_stmt do_shop_refused = {"do_shop_refused", "SELECT code FROM do_shop_refused($1, $2)",
                                               2};

static enum api_next begin_order(struct api_call *call)
{
    struct shopping *s = shopping_of(call);
    if (!s)
        return api_refuse(call, API_BUSY);
    s->provider = pay_find(call->env->pay, call->body[MEMBER_PROVIDER].text);
    if (!s->provider)
        return api_refuse(call, API_SHOP_OFF);
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->idempotency_key);
    db_args_bytes(&call->args, call->body_hash, sizeof(call->body_hash));
    db_args_text(&call->args, call->body[MEMBER_PACK].text);
    db_args_text(&call->args, s->provider->name);
    return API_QUERY;
}

static enum api_next reply_created(struct api_call *call, const PGresult *rows)
{
    enum api_next next = tree_reply(call, rows);
    if (call->code == API_OK)
        call->status = 201;
    return next;
}

static void open_at_provider(struct api_call *call)
{
    struct shopping *s = call->own;
    s->outcome = s->provider->open(call->env->pay, &s->order, &s->opened, s->why);
}

static enum api_next reply_refused(struct api_call *call, const PGresult *rows)
{
    return api_refuse_sql(call, row_get(rows, 0, "code"));
}

static enum api_next after_open(struct api_call *call, const PGresult *none)
{
    (void)none;
    struct shopping *s = call->own;
    if (s->outcome == PAY_AGAIN) {
        tell_trouble(call, s, "shop_provider_unavailable");
        return api_refuse(call, API_PAYMENT_UNAVAILABLE);
    }
    call->writes = true;
    db_args_int(&call->args, s->id);
    if (s->outcome == PAY_OK) {
        call->stmt = &do_shop_opened;
        call->then = reply_created;
        db_args_text(&call->args, s->opened.ref);
        db_args_text(&call->args, s->opened.url);
    } else {
        tell_trouble(call, s, "shop_provider_refused");
        call->stmt = &do_shop_refused;
        call->then = reply_refused;
        db_args_text(&call->args, "refused by the provider");
    }
    return API_QUERY;
}

static void read_order(struct pay_order *order, const PGresult *rows)
{
    (void)snprintf(order->token, sizeof(order->token), "%s", row_get(rows, 0, "token"));
    (void)snprintf(order->name, sizeof(order->name), "%s", row_get(rows, 0, "name"));
    (void)snprintf(order->currency, sizeof(order->currency), "%s", row_get(rows, 0, "currency"));
    order->amount = row_get_int(rows, 0, "price_minor");
    order->expires_s = row_get_int(rows, 0, "expires_s");
}

static enum api_next reply_order(struct api_call *call, const PGresult *rows)
{
    if (PQntuples(rows) == 0 || strcmp(row_get(rows, 0, "code"), "ok") != 0 ||
        !db_bool(rows, 0, db_col(rows, "to_open")))
        return reply_created(call, rows);
    struct shopping *s = call->own;
    s->id = row_get_int(rows, 0, "id");
    read_order(&s->order, rows);
    call->work = open_at_provider;
    call->then = after_open;
    return API_FETCH;
}

/* --- GET /v1/shop/orders/{order}: asks the provider when the order waits for news --- */

static const struct db_stmt q_shop_order = {"q_shop_order",
                                            "SELECT code, body, due, provider FROM q_shop_order($1, $2)", 2};
static const struct db_stmt do_shop_claim = {"do_shop_claim", "SELECT id, token, ref FROM do_shop_claim($1)",
                                             1};
const struct db_stmt shop_event_stmt = {
    "do_shop_event",
    "SELECT code, order_id, state FROM do_shop_event($1, $2, $3, $4::text::uuid, $5, $6, $7, $8, $9, "
    "to_timestamp(nullif($10::bigint, 0)))",
    10};
static const struct db_stmt do_shop_unknown = {"do_shop_unknown", "SELECT code FROM do_shop_unknown($1)", 1};

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

void shop_bind_event(struct db_args *args, const char *provider, const struct pay_event *event)
{
    ASSERT(event->kind != PAY_NOTHING);
    db_args_text(args, provider);
    db_args_text(args, event->id);
    db_args_text(args, pay_kind_name(event->kind));
    db_args_text(args, or_null(event->token));
    db_args_text(args, or_null(event->ref));
    db_args_text(args, or_null(event->payment));
    db_args_text(args, or_null(event->subject));
    db_args_int(args, event->amount);
    db_args_text(args, or_null(event->currency));
    db_args_int(args, event->at_s);
}

static enum api_next reply_look(struct api_call *call, const PGresult *rows);

/* Reads the order as it is now, whatever was learned. */
static enum api_next look_again(struct api_call *call, const PGresult *rows)
{
    (void)rows;
    call->stmt = &q_shop_order;
    call->writes = false;
    call->then = reply_look;
    return api_bind_player_and_id(call);
}

static void ask_provider(struct api_call *call)
{
    struct shopping *s = call->own;
    s->outcome = s->provider->ask(call->env->pay, &s->order, &s->event, s->why);
}

static enum api_next after_ask(struct api_call *call, const PGresult *none)
{
    struct shopping *s = call->own;
    call->writes = true;
    call->then = look_again;
    if (s->outcome == PAY_UNKNOWN) {
        call->stmt = &do_shop_unknown;
        db_args_int(&call->args, s->id);
        return API_QUERY;
    }
    if (s->outcome != PAY_OK)
        tell_trouble(call, s, "shop_provider_unavailable");
    if (s->outcome != PAY_OK || s->event.kind == PAY_NOTHING)
        return look_again(call, none);
    call->stmt = &shop_event_stmt;
    shop_bind_event(&call->args, s->provider->name, &s->event);
    return API_QUERY;
}

static enum api_next after_claim(struct api_call *call, const PGresult *rows)
{
    struct shopping *s = call->own;
    if (PQntuples(rows) == 0)
        return look_again(call, rows);
    s->id = row_get_int(rows, 0, "id");
    (void)snprintf(s->order.token, sizeof(s->order.token), "%s", row_get(rows, 0, "token"));
    (void)snprintf(s->order.ref, sizeof(s->order.ref), "%s", row_get(rows, 0, "ref"));
    call->work = ask_provider;
    call->then = after_ask;
    return API_FETCH;
}

static enum api_next reply_look(struct api_call *call, const PGresult *rows)
{
    struct shopping *s = shopping_of(call);
    if (strcmp(row_get(rows, 0, "code"), "ok") != 0 || !db_bool(rows, 0, db_col(rows, "due")) || !s ||
        s->asked)
        return tree_reply(call, rows);
    s->provider = pay_find(call->env->pay, row_get(rows, 0, "provider"));
    if (!s->provider)
        return tree_reply(call, rows);
    s->asked = true; /* once */
    call->stmt = &do_shop_claim;
    call->writes = true;
    call->then = after_claim;
    return api_bind_id(call);
}

/* --- GET /v1/shop/orders --- */

static const char list_orders[] = "orders";

static const struct db_stmt q_shop_orders = {"q_shop_orders",
                                             "SELECT id, body FROM q_shop_orders($1, $2, $3)", 3};

static enum api_next bind_orders(struct api_call *call)
{
    return page_bind(call, list_orders);
}

static void write_item(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, row_get(rows, i, "body"));
}

static enum api_next reply_orders(struct api_call *call, const PGresult *rows)
{
    return page_reply(call, list_orders, rows, write_item);
}

/* --- POST /v1/shop/webhooks/stripe --- */

static enum api_next reply_hook(struct api_call *call, const PGresult *rows)
{
    if (rows)
        log_info(
            "shop_event", LOG_TEXT("trace_id", call->trace_id), LOG_TEXT("code", row_get(rows, 0, "code")),
            LOG_NUM("order", row_get_int(rows, 0, "order_id")), LOG_TEXT("state", row_get(rows, 0, "state")));
    struct buf *out = api_reply_json(call, 200);
    json_kv_bool(out, "received", true);
    json_close(out, '}');
    return API_DONE;
}

static enum api_next begin_hook(struct api_call *call, const struct pay_provider *provider)
{
    static const enum api_code codes[] = {[PAY_HOOK_UNSIGNED] = API_SIGNATURE_BAD,
                                          [PAY_HOOK_STALE] = API_SIGNATURE_STALE,
                                          [PAY_HOOK_BAD] = API_EVENT_BAD};
    struct pay_event event;
    if (!provider->on(call->env->pay))
        return api_refuse(call, API_SHOP_OFF);
    const struct pay_hook hook = {.body = call->raw,
                                  .len = call->raw_len,
                                  .signature = call->env->ports.header(call, provider->signature_header),
                                  .now_s = call->now_ms / 1000};
    enum pay_hook_result result = provider->hook(call->env->pay, &hook, &event);
    if (result != PAY_HOOK_OK)
        return api_refuse(call, codes[result]);
    if (event.kind == PAY_NOTHING)
        return reply_hook(call, NULL);
    shop_bind_event(&call->args, provider->name, &event);
    return API_QUERY;
}

static enum api_next begin_stripe_hook(struct api_call *call)
{
    return begin_hook(call, &pay_stripe);
}

const struct api_route api_shop_routes[] = {
    {.method = "GET",
     .path = "/v1/shop/packs",
     .id = "listPacks",
     .tagged = true,
     .role = API_ANYONE,
     .rate = API_RATE_READ,
     .stmt = &q_shop_packs,
     .begin = begin_packs,
     .reply = keep_packs},
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
    /* Signed: the provider comes as often as it wants. */
    {.method = "POST",
     .path = "/v1/shop/webhooks/stripe",
     .id = "stripeWebhook",
     .role = API_ANYONE,
     .rate = API_RATE_READ,
     .raw_max = PAY_HOOK_BYTES_MAX,
     .stmt = &shop_event_stmt,
     .writes = true,
     .begin = begin_stripe_hook,
     .reply = reply_hook},
};
const size_t api_shop_routes_n = ARRAY_LEN(api_shop_routes);
