/* POST /v1/shop/webhooks/…: events that providers send. Signed events are applied at once. If only the
 * provider can confirm that a call is genuine, a worker queries the provider. If a call reports news
 * without details, the server queries the order. REST loops. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/shop/shop_events.h"
#include "api/shop/shop_query.h"
#include "base/bug.h"
#include "base/log.h"
#include "pay/pay.h"

#include <stdlib.h>

static const struct db_stmt do_shop_claim_news = {
    "do_shop_claim_news", "SELECT id, token, ref, product FROM do_shop_claim_news($1, $2::text::uuid, $3)",
    3};

struct hooked {
    struct api_shop_query query; /* first: see shop_query.h */
    struct pay_hook hook;
    enum pay_hook_result result;
};

static enum api_next reply_hook(struct api_request *request, const PGresult *rows)
{
    if (rows)
        log_info("shop_event", LOG_TEXT("trace_id", request->trace_id),
                 LOG_TEXT("code", api_row_get(rows, 0, "code")),
                 LOG_NUM("order", api_row_get_int(rows, 0, "order_id")),
                 LOG_TEXT("state", api_row_get(rows, 0, "state")));
    struct buf *out = api_reply_open(request, 200);
    json_kv_bool(out, "received", true);
    json_close(out, '}');
    return API_DONE;
}

static enum api_next reply_news(struct api_request *request, const PGresult *rows)
{
    struct hooked *h = request->own;
    bool taken = rows && h->query.outcome == PAY_OK;
    return reply_hook(request, taken ? rows : NULL);
}

static enum api_next after_claim(struct api_request *request, const PGresult *rows)
{
    return api_shop_query_claimed(request, rows, reply_news);
}

static enum api_next take_event(struct api_request *request, const struct pay_provider *provider,
                                const struct pay_event *event)
{
    if (event->kind == PAY_NOTHING)
        return reply_hook(request, NULL);
    request->writes = true;
    if (event->kind != PAY_NEWS) {
        request->stmt = &api_shop_event_stmt;
        request->then = reply_hook;
        api_shop_bind_event(&request->args, provider->name, event);
        return API_QUERY;
    }
    request->stmt = &do_shop_claim_news;
    request->then = after_claim;
    db_args_text(&request->args, provider->name);
    db_args_text(&request->args, event->token[0] ? event->token : NULL);
    db_args_text(&request->args, event->ref[0] ? event->ref : NULL);
    return API_QUERY;
}

static enum api_next take_result(struct api_request *request, const struct hooked *h)
{
    static const enum api_code codes[] = {[PAY_HOOK_UNSIGNED] = API_SIGNATURE_BAD,
                                          [PAY_HOOK_STALE] = API_SIGNATURE_STALE,
                                          [PAY_HOOK_BAD] = API_EVENT_BAD,
                                          [PAY_HOOK_AGAIN] = API_PAYMENT_UNAVAILABLE};
    ASSERT(h->result != PAY_HOOK_QUERY);
    if (h->result != PAY_HOOK_OK)
        return api_refuse(request, codes[h->result]);
    return take_event(request, h->query.provider, &h->query.event);
}

static void query_hook(struct api_request *request)
{
    struct hooked *h = request->own;
    h->result = h->query.provider->query_hook(request->env->pay, &h->hook, &h->query.event, h->query.why);
}

static enum api_next after_query(struct api_request *request, const PGresult *none)
{
    (void)none;
    struct hooked *h = request->own;
    if (h->result == PAY_HOOK_AGAIN) {
        h->query.outcome = PAY_AGAIN;
        api_shop_log_failure(request, &h->query, "shop_provider_unavailable");
    }
    return take_result(request, h);
}

static enum api_next begin_hook(struct api_request *request, const struct pay_provider *provider)
{
    if (!provider->on(request->env->pay))
        return api_refuse(request, API_SHOP_OFF);
    struct hooked *h = calloc(1, sizeof(*h));
    request->own = h;
    if (!h)
        return api_refuse(request, API_BUSY);
    h->query.provider = provider;
    h->hook =
        (struct pay_hook){.body = request->raw, .len = request->raw_len, .now_s = request->now_ms / 1000};
    for (size_t i = 0; i < PAY_HEADERS_MAX && provider->hook_headers[i]; i++)
        h->hook.headers[i] = request->env->ports.header(request, provider->hook_headers[i]);
    h->result = provider->hook(request->env->pay, &h->hook, &h->query.event);
    if (h->result != PAY_HOOK_QUERY)
        return take_result(request, h);
    request->work = query_hook;
    request->then = after_query;
    return API_FETCH;
}

/* The operation <id>Webhook of each provider, whose route is in the contract. */
#define PROVIDER(id, name)                                                                                   \
    static enum api_next begin_##id(struct api_request *request)                                             \
    {                                                                                                        \
        return begin_hook(request, &pay_##id);                                                               \
    }                                                                                                        \
    API_OPERATION(id##Webhook) = {.raw_max = PAY_HOOK_BYTES_MAX,                                             \
                                  .stmt = &api_shop_event_stmt,                                              \
                                  .writes = true,                                                            \
                                  .begin = begin_##id,                                                       \
                                  .reply = reply_hook};
#include "pay/providers.def"
