/* Card payments with Stripe Checkout: the buyer pays on Stripe's page, and a signed webhook notifies us. See
 * pay.h. */
#include "pay/pay.h"

#include "base/bug.h"
#include "base/setting.h"
#include "net/fetch.h"
#include "net/read.h"
#include "pay/kind.h"
#include "pay/outcome.h"
#include "pay/page.h"
#include "pay/read.h"
#include "pay/signed.h"

#include <stdio.h>
#include <string.h>

#define STRIPE_VERSION "2024-06-20" /* the API version of Stripe's responses */
#define CODE_MAX 64                 /* bytes of a Stripe error code */
#define REFUND_ID_MAX 100           /* including the NUL */
#define LIST_N 100                  /* events per page */
#define AMOUNT_MAX 1000000000000    /* more than any payment */

static bool is_on(const struct pay_shop *shop)
{
    return shop->stripe_key && shop->stripe_key[0] && shop->stripe_webhook_secret &&
           shop->stripe_webhook_secret[0];
}

/* --- parsing Stripe's objects --- */

/* Whether the text can be part of a URL without encoding. */
static bool is_name(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text[0] && text[strspn(text, plain)] == '\0';
}

/* Reads an id. With `expand`, Stripe sends the whole object instead of the id. */
static void take_ref(const json_t *object, const char *name, char out[PAY_REF_MAX])
{
    const json_t *value = json_object_get(object, name);
    if (json_is_object(value))
        net_read_text(value, "id", out, PAY_REF_MAX);
    else
        net_read_text(object, name, out, PAY_REF_MAX);
}

/* Reads an amount. If it is missing or invalid, the currency is left empty, so that it differs from every
 * other amount. */
static void take_amount(const json_t *object, const char *name, struct pay_event *event)
{
    pay_read_currency(object, "currency", event->currency);
    if (net_read_whole(object, name, &event->amount) && event->amount >= 0)
        return;
    event->amount = 0;
    event->currency[0] = '\0';
}

/* Reads the price. With coupons the buyer pays less than the price, and with taxes more; the price is then
 * the subtotal, if the parts add up. */
static void take_price(const json_t *session, struct pay_event *event)
{
    const json_t *parts = json_object_get(session, "total_details");
    int64_t subtotal, discount, shipping, tax;
    bool there = net_read_whole(session, "amount_subtotal", &subtotal);
    (void)net_read_whole(parts, "amount_discount", &discount);
    (void)net_read_whole(parts, "amount_shipping", &shipping);
    (void)net_read_whole(parts, "amount_tax", &tax);
    bool sane = subtotal > 0 && subtotal <= AMOUNT_MAX && discount >= 0 && discount <= subtotal &&
                shipping >= 0 && shipping <= AMOUNT_MAX && tax >= 0 && tax <= AMOUNT_MAX;
    if (there && sane && subtotal - discount + shipping + tax == event->amount)
        event->price = subtotal;
}

static void read_session(const json_t *session, struct pay_event *event)
{
    pay_read_token(session, "client_reference_id", event->token);
    net_read_text(session, "id", event->ref, sizeof(event->ref));
    take_ref(session, "payment_intent", event->payment);
    take_amount(session, "amount_total", event);
    take_price(session, event);
}

/* Whether the session is paid. A 100 % coupon leaves nothing to pay; then the session has no payment, but
 * is complete. */
static bool is_paid(const json_t *session)
{
    int64_t total;
    return net_read_is(session, "payment_status", "paid") ||
           (net_read_is(session, "payment_status", "no_payment_required") &&
            net_read_is(session, "status", "complete") && net_read_whole(session, "amount_total", &total) &&
            total == 0);
}

/* --- taking an order --- */

static void write_form(struct buf *form, const struct pay_shop *shop, const struct pay_order *order)
{
    char url[PAY_URL_MAX];
    net_fetch_form(form, "mode", "payment");
    net_fetch_form(form, "client_reference_id", order->token);
    net_fetch_form(form, "metadata[order]", order->token);
    net_fetch_form(form, "payment_intent_data[metadata][order]", order->token);
    net_fetch_form(form, "line_items[0][quantity]", "1");
    net_fetch_form(form, "line_items[0][price_data][currency]", order->currency);
    net_fetch_form_int(form, "line_items[0][price_data][unit_amount]", order->amount);
    net_fetch_form(form, "line_items[0][price_data][product_data][name]", order->name);
    net_fetch_form_int(form, "expires_at", order->expires_s);
    (void)snprintf(url, sizeof(url), "%s/shop?paid=%s", shop->public_url, order->token);
    net_fetch_form(form, "success_url", url);
    (void)snprintf(url, sizeof(url), "%s/shop?left=%s", shop->public_url, order->token);
    net_fetch_form(form, "cancel_url", url);
}

/* Reads Stripe's error: its code, and a line for the log. */
static void read_error(const struct net_fetched *answer, char code[CODE_MAX], char why[PAY_WHY_MAX])
{
    json_t *root = json_loadb(answer->body, answer->len, 0, NULL);
    const json_t *error = json_object_get(root, "error");
    const char *message = json_string_value(json_object_get(error, "message"));
    net_read_text(error, "code", code, CODE_MAX);
    (void)snprintf(why, PAY_WHY_MAX, "%ld %.120s", answer->status, message ? message : "");
    json_decref(root);
}

static enum pay_outcome call_stripe(const struct pay_shop *shop, const struct net_fetch *fetch, json_t **root,
                                    char code[CODE_MAX], char why[PAY_WHY_MAX])
{
    struct net_fetched answer;
    code[0] = '\0';
    (void)net_fetch_run(&shop->net, fetch, &answer);
    enum pay_outcome outcome = pay_outcome_of(&answer, why);
    if (outcome != PAY_OK && answer.status != 0)
        read_error(&answer, code, why);
    *root = outcome == PAY_OK ? net_read_object(answer.body, answer.len) : NULL;
    net_fetch_free(&answer);
    if (outcome == PAY_OK && !*root) {
        (void)snprintf(why, PAY_WHY_MAX, "the response is not a JSON object");
        outcome = PAY_AGAIN;
    }
    return outcome;
}

/* Creates an object. token: idempotency key, by which Stripe recognizes a retry. The form must have space
 * for a NUL. */
static enum pay_outcome post_form(const struct pay_shop *shop, const char *path, struct buf *form,
                                  const char *token, json_t **root, char code[CODE_MAX],
                                  char why[PAY_WHY_MAX])
{
    char url[PAY_URL_MAX], key[80];
    form->data[form->len] = '\0';
    (void)snprintf(url, sizeof(url), "%s%s", shop->stripe_url, path);
    (void)snprintf(key, sizeof(key), "Idempotency-Key: %s", token);
    const char *const headers[] = {key, "Stripe-Version: " STRIPE_VERSION, NULL};
    const struct net_fetch fetch = {
        .url = url, .bearer = shop->stripe_key, .form = form->data, .headers = headers};
    return call_stripe(shop, &fetch, root, code, why);
}

static enum pay_outcome open_order(const struct pay_shop *shop, const struct pay_order *order,
                                   struct pay_opened *opened, char why[PAY_WHY_MAX])
{
    char memory[NET_FORM_MAX], code[CODE_MAX];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    write_form(&form, shop, order);
    if (form.full) {
        (void)snprintf(why, PAY_WHY_MAX, "the order is too long for a form");
        return PAY_REFUSED;
    }
    json_t *root;
    enum pay_outcome outcome =
        post_form(shop, "/v1/checkout/sessions", &form, order->token, &root, code, why);
    if (outcome == PAY_OK) {
        net_read_text(root, "id", opened->ref, sizeof(opened->ref));
        net_read_text(root, "url", opened->url, sizeof(opened->url));
        if (!opened->ref[0] || !pay_page_ok(opened->url, shop->stripe_page_host)) {
            (void)snprintf(why, PAY_WHY_MAX, "the response has no id, or no url of https://%.100s",
                           shop->stripe_page_host);
            outcome = PAY_AGAIN;
        }
    }
    json_decref(root);
    return outcome == PAY_UNKNOWN ? PAY_REFUSED : outcome;
}

/* --- querying an order --- */

static enum pay_outcome query_order(const struct pay_shop *shop, const struct pay_order *order,
                                    struct pay_event *event, char why[PAY_WHY_MAX])
{
    char url[PAY_URL_MAX], code[CODE_MAX];
    *event = (struct pay_event){0};
    if (!is_name(order->ref))
        return PAY_UNKNOWN;
    (void)snprintf(url, sizeof(url), "%s/v1/checkout/sessions/%s", shop->stripe_url, order->ref);
    const char *const headers[] = {"Stripe-Version: " STRIPE_VERSION, NULL};
    const struct net_fetch fetch = {.url = url, .bearer = shop->stripe_key, .headers = headers};
    json_t *root;
    enum pay_outcome outcome = call_stripe(shop, &fetch, &root, code, why);
    if (outcome == PAY_OK) {
        read_session(root, event);
        if (strcmp(event->token, order->token) != 0) {
            (void)snprintf(why, PAY_WHY_MAX, "the response is about another order");
            outcome = PAY_AGAIN;
        } else if (is_paid(root)) {
            event->kind = PAY_PAID;
        } else if (net_read_is(root, "status", "expired")) {
            event->kind = PAY_EXPIRED;
        }
    }
    if (outcome == PAY_OK && event->kind != PAY_NOTHING)
        (void)snprintf(event->id, sizeof(event->id), "asked:%s:%s", order->token, pay_kind_name(event->kind));
    json_decref(root);
    return outcome == PAY_REFUSED ? PAY_UNKNOWN : outcome;
}

/* --- refunds --- */

static enum pay_outcome refund_payment(const struct pay_shop *shop, const struct pay_refund *refund,
                                       char ref[PAY_REF_MAX], char why[PAY_WHY_MAX])
{
    char memory[NET_FORM_MAX], token[sizeof("refund-") + PAY_TOKEN_MAX], code[CODE_MAX];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    net_fetch_form(&form, "payment_intent", refund->payment);
    net_fetch_form(&form, "reason", "requested_by_customer");
    net_fetch_form(&form, "metadata[refund]", refund->token);
    ASSERT(!form.full);
    ref[0] = '\0';
    (void)snprintf(token, sizeof(token), "refund-%s", refund->token);
    json_t *root;
    enum pay_outcome outcome = post_form(shop, "/v1/refunds", &form, token, &root, code, why);
    if (outcome == PAY_OK) {
        net_read_text(root, "id", ref, PAY_REF_MAX);
        if (net_read_is(root, "status", "failed") || net_read_is(root, "status", "canceled")) {
            (void)snprintf(why, PAY_WHY_MAX, "the refund failed");
            outcome = PAY_REFUSED;
        } else if (!ref[0] || !net_read_is(root, "object", "refund")) {
            (void)snprintf(why, PAY_WHY_MAX, "the response is not a refund");
            outcome = PAY_AGAIN;
        }
    }
    json_decref(root);
    if (outcome == PAY_REFUSED && strcmp(code, "charge_already_refunded") == 0)
        return PAY_OK; /* refunded manually on Stripe's page */
    return outcome == PAY_UNKNOWN ? PAY_REFUSED : outcome;
}

/* --- the webhook --- */

/* Reads a dispute. Its status counts, not the event's name, because events may get lost and arrive in any
 * order. */
static void read_dispute(const json_t *dispute, bool closed, struct pay_event *event)
{
    net_read_text(dispute, "id", event->subject, sizeof(event->subject));
    take_ref(dispute, "payment_intent", event->payment);
    take_amount(dispute, "amount", event);
    const char *status = json_string_value(json_object_get(dispute, "status"));
    if (net_read_is(dispute, "status", "lost"))
        event->kind = PAY_DISPUTE_LOST;
    else if (closed || net_read_is(dispute, "status", "won") ||
             net_read_is(dispute, "status", "prevented")) /* by a refund, which has its own event; or an
                                                             inquiry was closed without consequences */
        event->kind = PAY_DISPUTE_WON;
    else /* "warning_…" is an inquiry, and the money is still ours */
        event->kind = status && strncmp(status, "warning_", 8) == 0 ? PAY_NOTHING : PAY_DISPUTED;
}

/* Reads a pending refund that failed. Stripe reports it in up to three events, which get the same id. */
static void read_refund(const json_t *refund, struct pay_event *event)
{
    if (!net_read_is(refund, "status", "failed") && !net_read_is(refund, "status", "canceled"))
        return;
    char id[REFUND_ID_MAX];
    net_read_text(refund, "id", id, sizeof(id));
    if (!net_read_printed(id))
        return;
    (void)snprintf(event->subject, sizeof(event->subject), "%s", id);
    (void)snprintf(event->id, sizeof(event->id), "failed:%s", id);
    take_ref(refund, "payment_intent", event->payment);
    take_amount(refund, "amount", event);
    event->kind = PAY_REFUND_FAILED;
}

static void read_object(const char *type, const json_t *object, struct pay_event *event)
{
    static const struct {
        const char *type;
        enum pay_kind kind;
    } of_sessions[] = {
        {"checkout.session.completed", PAY_PAID}, /* if it is paid, because some payment methods take days */
        {"checkout.session.async_payment_succeeded", PAY_PAID},
        {"checkout.session.async_payment_failed", PAY_FAILED},
        {"checkout.session.expired", PAY_EXPIRED},
    };
    for (size_t i = 0; i < ARRAY_LEN(of_sessions); i++) {
        if (strcmp(type, of_sessions[i].type) != 0)
            continue;
        read_session(object, event);
        event->kind = of_sessions[i].kind != PAY_PAID || is_paid(object) ? of_sessions[i].kind : PAY_NOTHING;
        return;
    }
    if (strcmp(type, "charge.refunded") == 0) {
        pay_read_token(json_object_get(object, "metadata"), "order", event->token);
        take_ref(object, "payment_intent", event->payment);
        take_amount(object, "amount_refunded", event);
        event->kind = PAY_REFUNDED;
    } else if (strcmp(type, "charge.refund.updated") == 0 || strcmp(type, "refund.updated") == 0 ||
               strcmp(type, "refund.failed") == 0) {
        read_refund(object, event);
    } else if (strcmp(type, "charge.dispute.created") == 0 || strcmp(type, "charge.dispute.updated") == 0 ||
               strcmp(type, "charge.dispute.funds_withdrawn") == 0 ||
               strcmp(type, "charge.dispute.funds_reinstated") == 0) {
        read_dispute(object, false, event);
    } else if (strcmp(type, "charge.dispute.closed") == 0) {
        read_dispute(object, true, event);
    }
}

/* root: a Stripe event. false: invalid. */
static bool read_event(const json_t *root, struct pay_event *event)
{
    const char *type = json_string_value(json_object_get(root, "type"));
    const json_t *object = json_object_get(json_object_get(root, "data"), "object");
    *event = (struct pay_event){0};
    net_read_text(root, "id", event->id, sizeof(event->id));
    (void)net_read_number(root, "created", &event->at_s);
    if (event->at_s < 0 || event->at_s > PAY_TIME_S_MAX)
        event->at_s = 0;
    if (!type || !net_read_printed(event->id) || !json_is_object(object))
        return false;
    read_object(type, object, event);
    return true;
}

static enum pay_hook_result read_hook(const struct pay_shop *shop, const struct pay_hook *call,
                                      struct pay_event *event)
{
    *event = (struct pay_event){0};
    enum pay_hook_result result = pay_signed_check(shop->stripe_webhook_secret, "", call->headers[0], call);
    if (result != PAY_HOOK_OK)
        return result;
    json_t *root = net_read_object(call->body, call->len);
    if (!read_event(root, event))
        result = PAY_HOOK_BAD;
    json_decref(root);
    return result;
}

/* --- recent events --- */

static enum pay_outcome list_events(const struct pay_shop *shop, struct pay_list *list, char why[PAY_WHY_MAX])
{
    char url[PAY_URL_MAX], code[CODE_MAX];
    const char *after = list->cursor[0] ? "&starting_after=" : "";
    (void)snprintf(url, sizeof(url), "%s/v1/events?limit=%d&created%%5Bgte%%5D=%lld%s%s", shop->stripe_url,
                   LIST_N, (long long)list->from_s, after, list->cursor);
    const char *const headers[] = {"Stripe-Version: " STRIPE_VERSION, NULL};
    const struct net_fetch fetch = {.url = url, .bearer = shop->stripe_key, .headers = headers};
    json_t *root, *item;
    enum pay_outcome outcome = call_stripe(shop, &fetch, &root, code, why);
    size_t i;
    list->cursor[0] = '\0';
    struct pay_event event;
    json_array_foreach(json_object_get(root, "data"), i, item)
    {
        if (read_event(item, &event) && event.kind != PAY_NOTHING)
            list->each(list->ctx, &event);
        net_read_text(item, "id", list->cursor, sizeof(list->cursor));
    }
    if (!json_is_true(json_object_get(root, "has_more")) || !is_name(list->cursor))
        list->cursor[0] = '\0';
    json_decref(root);
    return outcome;
}

static bool settings_ok(const struct pay_shop *shop, char error[PAY_WHY_MAX])
{
    static const char *const no_keys[] = {"pk_", "whsec_", NULL};
    static const char *const no_webhook_secrets[] = {"sk_", "rk_", "pk_", NULL};
    return setting_is_no_other(shop->stripe_key, no_keys,
                               "stripe_key: is a different Stripe key; secret keys begin with sk_ or rk_",
                               error) &&
           setting_is_no_other(
               shop->stripe_webhook_secret, no_webhook_secrets,
               "stripe_webhook_secret: is a different Stripe key; webhook secrets begin with whsec_", error);
}

const struct pay_provider pay_stripe = {
    .name = "stripe",
    .hook_headers = {"Stripe-Signature"},
    .on = is_on,
    .settings_ok = settings_ok,
    .open = open_order,
    .query = query_order,
    .refund = refund_payment,
    .hook = read_hook,
    .list = list_events,
};
