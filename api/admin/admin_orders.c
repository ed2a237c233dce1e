/* POST /v1/admin/orders/{order}/refund. The gold is taken before the server calls the provider. If the
 * provider does not answer, a repeat of the request or the shop's thread (server/outbound/order_poll.c)
 * calls it again. REST loops. */
#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/shop/shop_events.h"
#include "base/bug.h"
#include "base/log.h"
#include "pay/pay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct db_stmt do_shop_refund = {
    "do_shop_refund",
    "SELECT code, to_ask, id, token, payment, provider, body, " API_REPEATED
    " FROM do_shop_refund($1, $2, $3, $4, $5, $6, $7)",
    7};

struct refunding {
    const struct pay_provider *provider;
    int64_t id;
    struct pay_refund refund;
    enum pay_outcome outcome;
    char ref[PAY_REF_MAX], why[PAY_WHY_MAX];
};

static enum api_next bind_refund(struct api_request *request)
{
    if (api_admin_bind_action(request) == API_DONE)
        return API_DONE;
    api_shop_bind_providers(&request->args, request->env->pay, pay_is_on);
    api_shop_bind_providers(&request->args, request->env->pay, pay_refunds);
    return API_QUERY;
}

static void query_provider(struct api_request *request)
{
    struct refunding *r = request->own;
    r->outcome = r->provider->refund(request->env->pay, &r->refund, r->ref, r->why);
}

static enum api_next after_query(struct api_request *request, const PGresult *none)
{
    (void)none;
    struct refunding *r = request->own;
    if (r->outcome != PAY_OK)
        log_warn(r->outcome == PAY_AGAIN ? "shop_provider_unavailable" : "shop_refund_refused",
                 LOG_TEXT("trace_id", request->trace_id), LOG_TEXT("provider", r->provider->name),
                 LOG_NUM("refund", r->id), LOG_TEXT("why", r->why));
    if (r->outcome == PAY_AGAIN)
        return api_refuse(request, API_PAYMENT_UNAVAILABLE);
    request->stmt = &api_shop_refund_said_stmt;
    request->then = api_json_reply;
    api_shop_bind_refund_said(&request->args, r->id, r->outcome == PAY_OK, r->ref, r->why);
    return API_QUERY;
}

static enum api_next reply_refund(struct api_request *request, const PGresult *rows)
{
    if (strcmp(api_row_get(rows, 0, "code"), "ok") != 0 || !db_bool(rows, 0, db_col(rows, "to_ask")))
        return api_json_reply(request, rows);
    struct refunding *r = calloc(1, sizeof(*r));
    request->own = r;
    if (!r)
        return api_refuse(request, API_BUSY);
    r->provider = pay_find(request->env->pay, api_row_get(rows, 0, "provider"));
    if (!r->provider) /* a repeat after the provider was disabled */
        return api_refuse(request, API_SHOP_OFF);
    r->id = api_row_get_int(rows, 0, "id");
    (void)snprintf(r->refund.token, sizeof(r->refund.token), "%s", api_row_get(rows, 0, "token"));
    (void)snprintf(r->refund.payment, sizeof(r->refund.payment), "%s", api_row_get(rows, 0, "payment"));
    request->work = query_provider;
    request->then = after_query;
    return API_FETCH;
}

API_OPERATION(refundOrder) = {
    .stmt = &do_shop_refund, .writes = true, .begin = bind_refund, .reply = reply_refund};
