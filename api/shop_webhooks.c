/* POST /v1/shop/webhooks/stripe: what a provider says unasked, signed. REST loops. */
#include "api/resources.h"
#include "api/rows.h"
#include "api/shop_events.h"
#include "base/bug.h"
#include "base/log.h"
#include "pay/pay.h"

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

static enum api_next begin_hook(struct api_request *request, const struct pay_provider *provider)
{
    static const enum api_code codes[] = {[PAY_HOOK_UNSIGNED] = API_SIGNATURE_BAD,
                                          [PAY_HOOK_STALE] = API_SIGNATURE_STALE,
                                          [PAY_HOOK_BAD] = API_EVENT_BAD};
    struct pay_event event;
    if (!provider->on(request->env->pay))
        return api_refuse(request, API_SHOP_OFF);
    const struct pay_hook hook = {.body = request->raw,
                                  .len = request->raw_len,
                                  .signature =
                                      request->env->ports.header(request, provider->signature_header),
                                  .now_s = request->now_ms / 1000};
    enum pay_hook_result result = provider->hook(request->env->pay, &hook, &event);
    if (result != PAY_HOOK_OK)
        return api_refuse(request, codes[result]);
    if (event.kind == PAY_NOTHING)
        return reply_hook(request, NULL);
    api_shop_bind_event(&request->args, provider->name, &event);
    return API_QUERY;
}

static enum api_next begin_stripe_hook(struct api_request *request)
{
    return begin_hook(request, &pay_stripe);
}

const struct api_route api_shop_webhooks_routes[] = {
    {.method = "POST",
     .path = "/v1/shop/webhooks/stripe",
     .id = "stripeWebhook",
     .role = API_ANYONE,
     .rate = API_RATE_READ,
     .raw_max = PAY_HOOK_BYTES_MAX,
     .stmt = &api_shop_event_stmt,
     .writes = true,
     .begin = begin_stripe_hook,
     .reply = reply_hook},
};
const size_t api_shop_webhooks_routes_n = ARRAY_LEN(api_shop_webhooks_routes);
