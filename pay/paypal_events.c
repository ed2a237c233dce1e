/* Parses PayPal's orders and events; see paypal_events.h. Amounts are objects {"currency_code": "EUR",
 * "value": "4.99"}. */
#include "pay/paypal_events.h"

#include "base/bug.h"
#include "net/read.h"
#include "pay/amount.h"
#include "pay/read.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void read_amount(const json_t *money, struct pay_event *event)
{
    char value[PAY_AMOUNT_MAX];
    net_read_text(money, "currency_code", event->currency, sizeof(event->currency));
    for (char *p = event->currency; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    net_read_text(money, "value", value, sizeof(value));
    if (!pay_amount_read(value, event->currency, &event->amount)) {
        event->amount = 0;
        event->currency[0] = '\0';
    }
}

/* Reads the last part of the "up" link, which is the id of the payment that was refunded. */
static void read_parent(const json_t *resource, char out[PAY_REF_MAX])
{
    const json_t *link;
    size_t i;
    out[0] = '\0';
    json_array_foreach(json_object_get(resource, "links"), i, link)
    {
        const char *href = json_string_value(json_object_get(link, "href"));
        const char *slash = href && net_read_is(link, "rel", "up") ? strrchr(href, '/') : NULL;
        if (slash && strlen(slash + 1) < PAY_REF_MAX)
            (void)snprintf(out, PAY_REF_MAX, "%s", slash + 1);
    }
}

static void read_capture(const json_t *capture, struct pay_event *event)
{
    static const struct {
        const char *status;
        enum pay_kind kind;
    } all[] = {
        {"COMPLETED", PAY_PAID},  {"PARTIALLY_REFUNDED", PAY_PAID}, {"REFUNDED", PAY_PAID},
        {"DECLINED", PAY_FAILED}, {"FAILED", PAY_FAILED},           {"DENIED", PAY_FAILED},
        {"PENDING", PAY_NOTHING},
    };
    net_read_text(capture, "id", event->payment, sizeof(event->payment));
    read_amount(json_object_get(capture, "amount"), event);
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (net_read_is(capture, "status", all[i].status))
            event->kind = all[i].kind;
}

/* Reads the capture that took the money or, if there is none, one that is pending. Declined captures remain
 * in the list after the buyer has chosen another card. false: neither. */
static bool read_captures(const json_t *captures, struct pay_event *event)
{
    const json_t *capture, *best = NULL;
    size_t i;
    json_array_foreach(captures, i, capture)
    {
        struct pay_event one = {0};
        read_capture(capture, &one);
        if (one.kind == PAY_PAID || (one.kind == PAY_NOTHING && !best))
            best = capture;
        if (one.kind == PAY_PAID)
            break;
    }
    if (best)
        read_capture(best, event);
    return best != NULL;
}

size_t pay_paypal_read_order(const json_t *order, struct pay_event *event)
{
    const json_t *unit = json_array_get(json_object_get(order, "purchase_units"), 0);
    const json_t *captures = json_object_get(json_object_get(unit, "payments"), "captures");
    size_t captures_n = json_array_size(captures);
    net_read_text(order, "id", event->ref, sizeof(event->ref));
    pay_read_token(unit, "custom_id", event->token);
    if (read_captures(captures, event))
        return captures_n;
    if (net_read_is(order, "status", "APPROVED"))
        event->kind = PAY_NEWS;
    else if (captures_n > 0)
        read_capture(json_array_get(captures, captures_n - 1), event);
    else if (net_read_is(order, "status", "VOIDED"))
        event->kind = PAY_EXPIRED;
    return captures_n;
}

/* amount: total refunded so far if PayPal supplies it; otherwise only this refund. */
static void read_refund(const json_t *refund, struct pay_event *event)
{
    const json_t *parts = json_object_get(refund, "seller_payable_breakdown");
    const json_t *sum = json_object_get(parts, "total_refunded_amount");
    pay_read_token(refund, "custom_id", event->token);
    read_parent(refund, event->payment);
    read_amount(json_is_object(sum) ? sum : json_object_get(refund, "amount"), event);
    net_read_text(refund, "id", event->subject, sizeof(event->subject));
    event->part = !json_is_object(sum) && event->subject[0];
    event->kind = PAY_REFUNDED;
}

static void read_failed_refund(const json_t *refund, struct pay_event *event)
{
    read_parent(refund, event->payment);
    read_amount(json_object_get(refund, "amount"), event);
    net_read_text(refund, "id", event->subject, sizeof(event->subject));
    event->kind = PAY_REFUND_FAILED;
}

static void read_dispute(const json_t *dispute, bool resolved, struct pay_event *event)
{
    static const char *const lost[] = {"RESOLVED_BUYER_FAVOUR", "ACCEPTED"};
    const json_t *transaction = json_array_get(json_object_get(dispute, "disputed_transactions"), 0);
    const json_t *outcome = json_object_get(dispute, "dispute_outcome");
    net_read_text(dispute, "dispute_id", event->subject, sizeof(event->subject));
    net_read_text(transaction, "seller_transaction_id", event->payment, sizeof(event->payment));
    read_amount(json_object_get(dispute, "dispute_amount"), event);
    if (!event->subject[0] || !event->payment[0])
        return;
    /* Without an outcome, the dispute remains open, because gold is not returned before we know who got the
     * money. */
    resolved = resolved && json_is_string(json_object_get(outcome, "outcome_code"));
    event->kind = resolved ? PAY_DISPUTE_WON : PAY_DISPUTED;
    for (size_t i = 0; resolved && i < ARRAY_LEN(lost); i++)
        if (net_read_is(outcome, "outcome_code", lost[i]))
            event->kind = PAY_DISPUTE_LOST;
}

static void read_capture_event(const char *type, const json_t *capture, struct pay_event *event)
{
    const json_t *ids = json_object_get(json_object_get(capture, "supplementary_data"), "related_ids");
    read_capture(capture, event);
    pay_read_token(capture, "custom_id", event->token);
    net_read_text(ids, "order_id", event->ref, sizeof(event->ref));
    bool paid = strcmp(type, "PAYMENT.CAPTURE.COMPLETED") == 0;
    if (!paid || event->kind != PAY_PAID) /* the event's type and contents must agree */
        event->kind = paid || strcmp(type, "PAYMENT.CAPTURE.PENDING") == 0 ? PAY_NOTHING : PAY_FAILED;
}

static void read_resource(const char *type, const json_t *resource, struct pay_event *event)
{
    if (strcmp(type, "CHECKOUT.ORDER.APPROVED") == 0) {
        (void)pay_paypal_read_order(resource, event);
        event->kind = event->ref[0] ? PAY_NEWS : PAY_NOTHING;
    } else if (strcmp(type, "PAYMENT.CAPTURE.COMPLETED") == 0 ||
               strcmp(type, "PAYMENT.CAPTURE.DENIED") == 0 || strcmp(type, "PAYMENT.CAPTURE.DECLINED") == 0 ||
               strcmp(type, "PAYMENT.CAPTURE.PENDING") == 0) {
        read_capture_event(type, resource, event);
    } else if (strcmp(type, "PAYMENT.CAPTURE.REFUNDED") == 0 ||
               strcmp(type, "PAYMENT.CAPTURE.REVERSED") == 0) {
        read_refund(resource, event);
    } else if (strcmp(type, "PAYMENT.REFUND.FAILED") == 0) {
        read_failed_refund(resource, event);
    } else if (strcmp(type, "CUSTOMER.DISPUTE.CREATED") == 0 ||
               strcmp(type, "CUSTOMER.DISPUTE.UPDATED") == 0) {
        read_dispute(resource, net_read_is(resource, "status", "RESOLVED"), event);
    } else if (strcmp(type, "CUSTOMER.DISPUTE.RESOLVED") == 0) {
        read_dispute(resource, true, event);
    }
}

bool pay_paypal_read_event(const json_t *root, struct pay_event *event)
{
    const char *type = json_string_value(json_object_get(root, "event_type"));
    const json_t *resource = json_object_get(root, "resource");
    *event = (struct pay_event){0};
    net_read_text(root, "id", event->id, sizeof(event->id));
    event->at_s = pay_read_time(root, "create_time");
    if (!type || !net_read_printed(event->id) || !json_is_object(resource))
        return false;
    read_resource(type, resource, event);
    return true;
}
