/* PayPal Orders v2: the buyer approves an order on PayPal's page, we capture the payment when they return
 * or PayPal notifies us, and a webhook reports everything else. See pay.h.
 *
 * PayPal itself checks whether a webhook call is genuine (verify-webhook-signature); we do not verify the
 * signature. Verifying it would require fetching a certificate from a URL in the call itself, checking its
 * chain against the current roots, and knowing which names may sign, which is documented nowhere. A forged
 * call costs one request to PayPal, after the checks that need no network have passed. */
#include "pay/pay.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/setting.h"
#include "net/read.h"
#include "pay/amount.h"
#include "pay/kind.h"
#include "pay/page.h"
#include "pay/paypal_call.h"
#include "pay/paypal_events.h"
#include "pay/read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_HOSTS "www.paypal.com www.sandbox.paypal.com" /* hosts on which buyers approve */

#define ORDER_JSON_MAX 8192
#define LIST_N 100
#define EVENTS_PATH "/v1/notifications/webhooks-events"

enum { HEADER_ALGORITHM, HEADER_CERTIFICATE, HEADER_ID, HEADER_SIGNATURE, HEADER_TIME, HEADERS_N };

static bool is_on(const struct pay_shop *shop)
{
    return shop->paypal_client_id && shop->paypal_client_id[0] && shop->paypal_secret &&
           shop->paypal_secret[0] && shop->paypal_webhook_id && shop->paypal_webhook_id[0];
}

/* Whether the text can be part of a URL without encoding. */
static bool is_name(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    return text[0] && text[strspn(text, plain)] == '\0';
}

/* --- taking an order --- */

/* PayPal accepts no decimals for these currencies, regardless of ISO 4217. */
static int decimals_max(const char *currency)
{
    bool whole = strcmp(currency, "huf") == 0 || strcmp(currency, "twd") == 0;
    return whole ? 0 : 2;
}

static void write_context(struct buf *json, const struct pay_shop *shop, const struct pay_order *order)
{
    char url[PAY_URL_MAX];
    json_key(json, "payment_source");
    json_open(json, '{');
    json_key(json, "paypal");
    json_open(json, '{');
    json_key(json, "experience_context");
    json_open(json, '{');
    json_kv_text(json, "user_action", "PAY_NOW");
    json_kv_text(json, "shipping_preference", "NO_SHIPPING");
    (void)snprintf(url, sizeof(url), "%s/shop?paid=%s", shop->public_url, order->token);
    json_kv_text(json, "return_url", url);
    (void)snprintf(url, sizeof(url), "%s/shop?left=%s", shop->public_url, order->token);
    json_kv_text(json, "cancel_url", url);
    json_close(json, '}');
    json_close(json, '}');
    json_close(json, '}');
}

/* PayPal accepts only one payment per invoice_id. */
static void write_order(struct buf *json, const struct pay_shop *shop, const struct pay_order *order,
                        const char *value)
{
    char currency[PAY_CURRENCY_MAX];
    for (size_t i = 0; i < sizeof(currency); i++)
        currency[i] = (char)toupper((unsigned char)order->currency[i]);
    json_open(json, '{');
    json_kv_text(json, "intent", "CAPTURE");
    json_key(json, "purchase_units");
    json_open(json, '[');
    json_open(json, '{');
    json_kv_text(json, "custom_id", order->token);
    json_kv_text(json, "invoice_id", order->token);
    json_kv_text(json, "description", order->name);
    json_key(json, "amount");
    json_open(json, '{');
    json_kv_text(json, "currency_code", currency);
    json_kv_text(json, "value", value);
    json_close(json, '}');
    json_close(json, '}');
    json_close(json, ']');
    write_context(json, shop, order);
    json_close(json, '}');
}

static void read_approve_url(const json_t *root, char url[PAY_URL_MAX])
{
    const json_t *link;
    size_t i;
    url[0] = '\0';
    json_array_foreach(json_object_get(root, "links"), i, link)
    {
        if (net_read_is(link, "rel", "payer-action") || net_read_is(link, "rel", "approve"))
            net_read_text(link, "href", url, PAY_URL_MAX);
    }
    if (!pay_page_ok(url, PAGE_HOSTS))
        url[0] = '\0';
}

static enum pay_outcome open_order(const struct pay_shop *shop, const struct pay_order *order,
                                   struct pay_opened *opened, char why[PAY_WHY_MAX])
{
    char memory[ORDER_JSON_MAX], value[PAY_AMOUNT_MAX], issue[PAY_PAYPAL_ISSUE_MAX];
    struct buf json = buf_on(memory, sizeof(memory) - 1);
    if (!pay_amount_write(order->amount, order->currency, decimals_max(order->currency), value)) {
        (void)snprintf(why, PAY_WHY_MAX, "PayPal does not accept this amount of %s", order->currency);
        return PAY_REFUSED;
    }
    write_order(&json, shop, order, value);
    if (json.full) {
        (void)snprintf(why, PAY_WHY_MAX, "the order is too long");
        return PAY_REFUSED;
    }
    memory[json.len] = '\0';
    const struct pay_paypal_call call = {.path = "/v2/checkout/orders", .json = memory, .id = order->token};
    json_t *root;
    enum pay_outcome outcome = pay_paypal_request(shop, &call, &root, issue, why);
    if (outcome == PAY_OK) {
        net_read_text(root, "id", opened->ref, sizeof(opened->ref));
        read_approve_url(root, opened->url);
        if (!is_name(opened->ref) || !opened->url[0]) {
            (void)snprintf(why, PAY_WHY_MAX,
                           "the response has no id, or no PayPal page on which to approve it");
            outcome = PAY_AGAIN;
        }
    }
    json_decref(root);
    return outcome == PAY_UNKNOWN ? PAY_REFUSED : outcome;
}

/* --- querying an order --- */

static enum pay_outcome read_answer(const json_t *root, const struct pay_order *order,
                                    struct pay_event *event, size_t *captures_n, char why[PAY_WHY_MAX])
{
    *captures_n = pay_paypal_read_order(root, event);
    if (strcmp(event->token, order->token) == 0)
        return PAY_OK;
    *event = (struct pay_event){0};
    (void)snprintf(why, PAY_WHY_MAX, "the response is about another order");
    return PAY_AGAIN;
}

/* Captures the payment of an approved order. If the buyer's card is declined, they can choose another one
 * on PayPal's page, so the order has not ended, and the next capture needs a different id. */
static enum pay_outcome capture_order(const struct pay_shop *shop, const struct pay_order *order,
                                      size_t captures_n, struct pay_event *event, char why[PAY_WHY_MAX])
{
    char path[PAY_ORDER_REF_MAX + 64], issue[PAY_PAYPAL_ISSUE_MAX],
        id[sizeof("capture-") + PAY_TOKEN_MAX + 12];
    (void)snprintf(path, sizeof(path), "/v2/checkout/orders/%s/capture", order->ref);
    (void)snprintf(id, sizeof(id), captures_n ? "capture-%s-%u" : "capture-%s", order->token,
                   (unsigned)captures_n);
    const struct pay_paypal_call call = {.path = path, .json = "{}", .id = id};
    json_t *root;
    *event = (struct pay_event){0};
    enum pay_outcome outcome = pay_paypal_request(shop, &call, &root, issue, why);
    if (outcome == PAY_OK)
        outcome = read_answer(root, order, event, &captures_n, why);
    else if (outcome == PAY_REFUSED || outcome == PAY_UNKNOWN)
        outcome = PAY_AGAIN; /* already captured, or no longer approved; the next query will show */
    json_decref(root);
    return outcome;
}

static enum pay_outcome query_order(const struct pay_shop *shop, const struct pay_order *order,
                                    struct pay_event *event, char why[PAY_WHY_MAX])
{
    char path[PAY_ORDER_REF_MAX + 64], issue[PAY_PAYPAL_ISSUE_MAX];
    *event = (struct pay_event){0};
    if (!is_name(order->ref))
        return PAY_UNKNOWN;
    (void)snprintf(path, sizeof(path), "/v2/checkout/orders/%s", order->ref);
    const struct pay_paypal_call call = {.path = path};
    json_t *root;
    size_t captures_n = 0;
    enum pay_outcome outcome = pay_paypal_request(shop, &call, &root, issue, why);
    if (outcome == PAY_OK)
        outcome = read_answer(root, order, event, &captures_n, why);
    json_decref(root);
    if (outcome == PAY_REFUSED)
        return PAY_UNKNOWN;
    if (outcome == PAY_OK && event->kind == PAY_NEWS)
        outcome = capture_order(shop, order, captures_n, event, why);
    if (event->kind == PAY_NEWS)
        event->kind = PAY_NOTHING;
    if (outcome == PAY_OK && event->kind != PAY_NOTHING)
        (void)snprintf(event->id, sizeof(event->id), "asked:%s:%s", order->token, pay_kind_name(event->kind));
    return outcome;
}

/* --- refunds --- */

static enum pay_outcome refund_capture(const struct pay_shop *shop, const struct pay_refund *refund,
                                       char ref[PAY_REF_MAX], char why[PAY_WHY_MAX])
{
    char path[PAY_REF_MAX + 64], issue[PAY_PAYPAL_ISSUE_MAX], id[sizeof("refund-") + PAY_TOKEN_MAX];
    ref[0] = '\0';
    if (!is_name(refund->payment)) {
        (void)snprintf(why, PAY_WHY_MAX, "the payment is not a PayPal capture");
        return PAY_REFUSED;
    }
    (void)snprintf(path, sizeof(path), "/v2/payments/captures/%s/refund", refund->payment);
    (void)snprintf(id, sizeof(id), "refund-%s", refund->token);
    const struct pay_paypal_call call = {.path = path, .json = "{}", .id = id}; /* the remaining amount */
    json_t *root;
    enum pay_outcome outcome = pay_paypal_request(shop, &call, &root, issue, why);
    if (outcome == PAY_OK) {
        net_read_text(root, "id", ref, PAY_REF_MAX);
        if (net_read_is(root, "status", "FAILED") || net_read_is(root, "status", "CANCELLED")) {
            (void)snprintf(why, PAY_WHY_MAX, "the refund failed");
            outcome = PAY_REFUSED;
        } else if (!ref[0]) {
            (void)snprintf(why, PAY_WHY_MAX, "the response is not a refund");
            outcome = PAY_AGAIN;
        }
    }
    json_decref(root);
    if (outcome == PAY_REFUSED && strcmp(issue, "CAPTURE_FULLY_REFUNDED") == 0)
        return PAY_OK; /* refunded manually on PayPal's page */
    return outcome == PAY_UNKNOWN ? PAY_REFUSED : outcome;
}

/* --- the webhook --- */

/* Makes the checks that need no network. */
static enum pay_hook_result check_hook(const struct pay_shop *shop, const struct pay_hook *call,
                                       struct pay_event *event)
{
    (void)shop;
    *event = (struct pay_event){0};
    for (size_t i = 0; i < HEADERS_N; i++)
        if (!call->headers[i] || !net_read_printed(call->headers[i]) || strlen(call->headers[i]) > 1000)
            return PAY_HOOK_UNSIGNED;
    json_t *root = net_read_object(call->body, call->len);
    bool good = pay_paypal_read_event(root, event);
    json_decref(root);
    *event = (struct pay_event){0};
    return good ? PAY_HOOK_QUERY : PAY_HOOK_BAD;
}

/* Writes the verification request: the headers, and the body, byte for byte. The caller frees it; NULL: out
 * of memory. */
static char *write_question(const struct pay_shop *shop, const struct pay_hook *call)
{
    static const char *const names[HEADERS_N] = {
        [HEADER_ALGORITHM] = "auth_algo",    [HEADER_CERTIFICATE] = "cert_url",
        [HEADER_ID] = "transmission_id",     [HEADER_SIGNATURE] = "transmission_sig",
        [HEADER_TIME] = "transmission_time",
    };
    size_t cap = call->len + 16 * 1024;
    char *memory = malloc(cap + 1);
    if (!memory)
        return NULL;
    struct buf json = buf_on(memory, cap);
    json_open(&json, '{');
    for (size_t i = 0; i < HEADERS_N; i++)
        json_kv_text(&json, names[i], call->headers[i]);
    json_kv_text(&json, "webhook_id", shop->paypal_webhook_id);
    json_key(&json, "webhook_event");
    buf_put(&json, call->body, call->len);
    json_close(&json, '}');
    memory[json.len] = '\0';
    if (json.full) {
        free(memory);
        return NULL;
    }
    return memory;
}

static enum pay_hook_result query_hook(const struct pay_shop *shop, const struct pay_hook *call,
                                       struct pay_event *event, char why[PAY_WHY_MAX])
{
    char issue[PAY_PAYPAL_ISSUE_MAX];
    char *question = write_question(shop, call);
    *event = (struct pay_event){0};
    if (!question) {
        (void)snprintf(why, PAY_WHY_MAX, "out of memory");
        return PAY_HOOK_AGAIN;
    }
    const struct pay_paypal_call call_back = {.path = "/v1/notifications/verify-webhook-signature",
                                              .json = question};
    json_t *root;
    enum pay_outcome outcome = pay_paypal_request(shop, &call_back, &root, issue, why);
    free(question);
    bool own = outcome == PAY_OK && net_read_is(root, "verification_status", "SUCCESS");
    json_decref(root);
    if (outcome != PAY_OK && outcome != PAY_REFUSED) /* PAY_REFUSED: PayPal rejects it as malformed */
        return PAY_HOOK_AGAIN;
    if (!own)
        return PAY_HOOK_UNSIGNED;
    root = net_read_object(call->body, call->len);
    bool good = pay_paypal_read_event(root, event);
    json_decref(root);
    return good ? PAY_HOOK_OK : PAY_HOOK_BAD;
}

/* --- recent events --- */

/* Reads the query string of the link to the next page, if there is one. */
static void read_next(const json_t *root, char cursor[PAY_CURSOR_MAX])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%&=:+";
    char url[PAY_URL_MAX];
    const json_t *link;
    size_t i;
    cursor[0] = '\0';
    json_array_foreach(json_object_get(root, "links"), i, link)
    {
        if (!net_read_is(link, "rel", "next"))
            continue;
        net_read_text(link, "href", url, sizeof(url));
        const char *query = strchr(url, '?');
        if (query && query[1 + strspn(query + 1, plain)] == '\0' && strlen(query + 1) < PAY_CURSOR_MAX)
            (void)snprintf(cursor, PAY_CURSOR_MAX, "%s", query + 1);
    }
}

static enum pay_outcome list_events(const struct pay_shop *shop, struct pay_list *list, char why[PAY_WHY_MAX])
{
    char path[PAY_CURSOR_MAX + 128], from[25], issue[PAY_PAYPAL_ISSUE_MAX];
    clock_rfc3339(from, list->from_s * 1000);
    if (list->cursor[0])
        (void)snprintf(path, sizeof(path), EVENTS_PATH "?%s", list->cursor);
    else
        (void)snprintf(path, sizeof(path), EVENTS_PATH "?page_size=%d&start_time=%s", LIST_N, from);
    const struct pay_paypal_call call = {.path = path};
    json_t *root, *item;
    enum pay_outcome outcome = pay_paypal_request(shop, &call, &root, issue, why);
    struct pay_event event;
    size_t i;
    json_array_foreach(json_object_get(root, "events"), i, item)
    {
        if (pay_paypal_read_event(item, &event) && event.kind != PAY_NOTHING)
            list->each(list->ctx, &event);
    }
    read_next(root, list->cursor);
    json_decref(root);
    return outcome;
}

static bool settings_ok(const struct pay_shop *shop, char error[PAY_WHY_MAX])
{
    return setting_printed("paypal_client_id", shop->paypal_client_id, error) &&
           setting_printed("paypal_webhook_id", shop->paypal_webhook_id, error);
}

const struct pay_provider pay_paypal = {
    .name = "paypal",
    .hook_headers = {[HEADER_ALGORITHM] = "Paypal-Auth-Algo",
                     [HEADER_CERTIFICATE] = "Paypal-Cert-Url",
                     [HEADER_ID] = "Paypal-Transmission-Id",
                     [HEADER_SIGNATURE] = "Paypal-Transmission-Sig",
                     [HEADER_TIME] = "Paypal-Transmission-Time"},
    .on = is_on,
    .settings_ok = settings_ok,
    .open = open_order,
    .query = query_order,
    .refund = refund_capture,
    .hook = check_hook,
    .query_hook = query_hook,
    .list = list_events,
};
