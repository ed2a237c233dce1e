/* POST /v1/shop/receipts: purchases in an app store. The store's signature, or a query to the store, proves
 * the receipt. The order is created and paid in one transaction. If the store requires it, the server then
 * reports the delivery of the gold. If that report is lost, the shop's thread repeats it
 * (server/outbound/order_poll.c). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/shop/shop_query.h"
#include "base/bug.h"
#include "pay/pay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- POST /v1/shop/receipts --- */

_Static_assert((int)RECEIPT_REQUEST_PRODUCT_MAX < PAY_PRODUCT_MAX &&
                   (int)RECEIPT_REQUEST_RECEIPT_MAX < PAY_PROOF_MAX,
               "values fit");

struct showing {
    struct api_shop_query query; /* first: see shop_query.h; its order is the one delivered */
    enum pay_receipt_result result;
    struct pay_bought bought;
};

static const struct db_stmt do_shop_receipt = {
    "do_shop_receipt",
    "SELECT code, id, token, ref, product, to_deliver, body, " API_REPEATED
    " FROM do_shop_receipt($1, $2, $3, $4, $5, $6, $7, "
    "$8::text::uuid, to_timestamp(nullif($9::bigint, 0)))",
    9};

static void check_receipt(struct api_request *request)
{
    struct showing *s = request->own;
    const struct pay_receipt receipt = {.product = request->body[RECEIPT_REQUEST_PRODUCT].text,
                                        .proof = request->body[RECEIPT_REQUEST_RECEIPT].text};
    s->result = s->query.provider->check(request->env->pay, &receipt, &s->bought, s->query.why);
}

static void deliver(struct api_request *request)
{
    struct showing *s = request->own;
    s->query.outcome = s->query.provider->deliver(request->env->pay, &s->query.order, s->query.why);
}

static enum api_next after_deliver(struct api_request *request, const PGresult *none)
{
    (void)none;
    struct showing *s = request->own;
    if (s->query.outcome != PAY_OK)
        api_shop_log_failure(request, &s->query, "shop_provider_unavailable");
    request->stmt = &api_shop_delivered_stmt;
    request->then = api_json_reply;
    db_args_int(&request->args, s->query.id);
    db_args_bool(&request->args, s->query.outcome == PAY_OK);
    return API_QUERY;
}

static enum api_next reply_receipt(struct api_request *request, const PGresult *rows)
{
    struct showing *s = request->own;
    if (strcmp(api_row_get(rows, 0, "code"), "ok") != 0 || !db_bool(rows, 0, db_col(rows, "to_deliver")) ||
        !s->query.provider->deliver)
        return api_json_reply(request, rows);
    s->query.id = api_row_get_int(rows, 0, "id");
    (void)snprintf(s->query.order.token, sizeof(s->query.order.token), "%s", api_row_get(rows, 0, "token"));
    (void)snprintf(s->query.order.ref, sizeof(s->query.order.ref), "%s", api_row_get(rows, 0, "ref"));
    (void)snprintf(s->query.order.product, sizeof(s->query.order.product), "%s",
                   api_row_get(rows, 0, "product"));
    request->work = deliver;
    request->then = after_deliver;
    return API_FETCH;
}

static enum api_next after_check(struct api_request *request, const PGresult *none)
{
    static const enum api_code codes[] = {[PAY_RECEIPT_BAD] = API_RECEIPT_BAD,
                                          [PAY_RECEIPT_PENDING] = API_RECEIPT_PENDING,
                                          [PAY_RECEIPT_REVOKED] = API_RECEIPT_REVOKED,
                                          [PAY_RECEIPT_AGAIN] = API_PAYMENT_UNAVAILABLE};
    (void)none;
    struct showing *s = request->own;
    if (s->result == PAY_RECEIPT_AGAIN) {
        s->query.outcome = PAY_AGAIN;
        api_shop_log_failure(request, &s->query, "shop_provider_unavailable");
    }
    if (s->result != PAY_RECEIPT_OK)
        return api_refuse(request, codes[s->result]);
    request->then = reply_receipt;
    db_args_int(&request->args, request->player_id);
    api_bind_idempotency(request);
    db_args_text(&request->args, s->query.provider->name);
    db_args_text(&request->args, s->bought.product);
    db_args_text(&request->args, s->bought.ref);
    db_args_text(&request->args, s->bought.payment);
    db_args_text(&request->args, s->bought.account[0] ? s->bought.account : NULL);
    db_args_int(&request->args, s->bought.at_s);
    return API_QUERY;
}

static enum api_next begin_receipt(struct api_request *request)
{
    struct showing *s = calloc(1, sizeof(*s));
    request->own = s;
    if (!s)
        return api_refuse(request, API_BUSY);
    s->query.provider = pay_find(request->env->pay, request->body[RECEIPT_REQUEST_STORE].text);
    if (!s->query.provider)
        return api_refuse(request, API_SHOP_OFF);
    ASSERT(s->query.provider->check && request->player_id > 0 && request->idempotency_key);
    request->work = check_receipt;
    request->then = after_check;
    return API_FETCH;
}

API_OPERATION(submitReceipt) = {
    .stmt = &do_shop_receipt, .writes = true, .begin = begin_receipt, .reply = reply_receipt};
