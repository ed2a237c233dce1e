/* Cards by Stripe Checkout: the buyer pays on a page of Stripe's, a signed webhook tells us. See pay.h. */
#include "pay/pay.h"

#include "base/bug.h"
#include "base/text.h"
#include "pay/fetch.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define STRIPE_VERSION "2024-06-20" /* the form in which Stripe answers */
#define CODE_MAX 64                 /* bytes of one of Stripe's error codes */
#define TIME_S_MAX 253402300799     /* the year 9999 */
#define REFUND_ID_MAX 100           /* with the NUL */
#define SIGNATURES_MAX 8            /* in one header: two while a secret is being changed */

static bool is_on(const struct pay_shop *shop)
{
    return shop->stripe_key && shop->stripe_key[0] && shop->stripe_secret && shop->stripe_secret[0];
}

/* --- reading what Stripe writes --- */

/* A text of an object; empty when it is missing, null, no text, or longer than any name of Stripe's is. */
static void take_text(const json_t *object, const char *name, char *out, size_t cap)
{
    const char *text = json_string_value(json_object_get(object, name));
    (void)snprintf(out, cap, "%s", text && strlen(text) < cap ? text : "");
}

/* Stripe gives a name, or with `expand` the whole object. */
static void take_ref(const json_t *object, const char *name, char out[PAY_REF_MAX])
{
    const json_t *value = json_object_get(object, name);
    if (json_is_object(value))
        take_text(value, "id", out, PAY_REF_MAX);
    else
        take_text(object, name, out, PAY_REF_MAX);
}

static bool text_is(const json_t *object, const char *name, const char *wanted)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text && strcmp(text, wanted) == 0;
}

/* Whether it may be part of a key of the ledger: printed ASCII without a blank. */
static bool is_printed(const char *name)
{
    while (*name > ' ' && *name <= '~')
        name++;
    return *name == '\0';
}

static bool is_uuid(const char *text)
{
    if (strlen(text) != 36)
        return false;
    for (int i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !strchr("0123456789abcdefABCDEF", text[i]))
            return false;
    }
    return true;
}

/* Other shops on the same account have names of their own in there. */
static void take_token(const json_t *object, const char *name, char out[PAY_TOKEN_MAX])
{
    take_text(object, name, out, PAY_TOKEN_MAX);
    if (!is_uuid(out))
        out[0] = '\0';
}

static void take_amount(const json_t *object, const char *name, struct pay_event *event)
{
    event->amount = json_integer_value(json_object_get(object, name));
    take_text(object, "currency", event->currency, sizeof(event->currency));
}

static void read_session(const json_t *session, struct pay_event *event)
{
    take_token(session, "client_reference_id", event->token);
    take_text(session, "id", event->ref, sizeof(event->ref));
    take_ref(session, "payment_intent", event->payment);
    take_amount(session, "amount_total", event);
}

/* --- taking an order --- */

static void write_form(struct buf *form, const struct pay_shop *shop, const struct pay_order *order)
{
    char url[PAY_URL_MAX];
    pay_fetch_form(form, "mode", "payment");
    pay_fetch_form(form, "client_reference_id", order->token);
    pay_fetch_form(form, "metadata[order]", order->token);
    pay_fetch_form(form, "payment_intent_data[metadata][order]", order->token);
    pay_fetch_form(form, "line_items[0][quantity]", "1");
    pay_fetch_form(form, "line_items[0][price_data][currency]", order->currency);
    pay_fetch_form_int(form, "line_items[0][price_data][unit_amount]", order->amount);
    pay_fetch_form(form, "line_items[0][price_data][product_data][name]", order->name);
    pay_fetch_form_int(form, "expires_at", order->expires_s);
    (void)snprintf(url, sizeof(url), "%s/shop?paid=%s", shop->public_url, order->token);
    pay_fetch_form(form, "success_url", url);
    (void)snprintf(url, sizeof(url), "%s/shop?left=%s", shop->public_url, order->token);
    pay_fetch_form(form, "cancel_url", url);
}

/* What Stripe says is wrong: its code, and a line for the log. */
static void read_error(const struct pay_fetched *answer, char code[CODE_MAX], char why[PAY_WHY_MAX])
{
    json_t *root = json_loadb(answer->body, answer->len, 0, NULL);
    const json_t *error = json_object_get(root, "error");
    const char *said = json_string_value(json_object_get(error, "message"));
    take_text(error, "code", code, CODE_MAX);
    (void)snprintf(why, PAY_WHY_MAX, "%ld %.120s", answer->status, said ? said : "");
    json_decref(root);
}

/* code: set on PAY_REFUSED and PAY_UNKNOWN. */
static enum pay_outcome outcome_of(const struct pay_fetched *answer, char code[CODE_MAX],
                                   char why[PAY_WHY_MAX])
{
    if (answer->status == 200)
        return PAY_OK;
    if (answer->status == 0) {
        (void)snprintf(why, PAY_WHY_MAX, "%s", answer->why);
        return PAY_AGAIN;
    }
    read_error(answer, code, why);
    if (answer->status == 404)
        return PAY_UNKNOWN;
    /* 401 and 403: our key is wrong, which an operator mends; the order is none the worse. */
    bool refused = answer->status >= 400 && answer->status < 500 && answer->status != 401 &&
                   answer->status != 403 && answer->status != 409 && answer->status != 429;
    return refused ? PAY_REFUSED : PAY_AGAIN;
}

static enum pay_outcome ask_stripe(const struct pay_shop *shop, const struct pay_fetch *fetch, json_t **root,
                                   char code[CODE_MAX], char why[PAY_WHY_MAX])
{
    struct pay_fetched answer;
    code[0] = '\0';
    (void)pay_fetch_run(shop, fetch, &answer);
    enum pay_outcome outcome = outcome_of(&answer, code, why);
    *root = outcome == PAY_OK ? json_loadb(answer.body, answer.len, 0, NULL) : NULL;
    pay_fetch_free(&answer);
    if (outcome == PAY_OK && !json_is_object(*root)) {
        (void)snprintf(why, PAY_WHY_MAX, "the answer is no JSON object");
        outcome = PAY_AGAIN;
    }
    return outcome;
}

/* Asks for something new. token: ours, by which Stripe knows a repeat. The form has room for a NUL. */
static enum pay_outcome post_form(const struct pay_shop *shop, const char *path, struct buf *form,
                                  const char *token, json_t **root, char code[CODE_MAX],
                                  char why[PAY_WHY_MAX])
{
    char url[PAY_URL_MAX], key[80];
    form->data[form->len] = '\0';
    (void)snprintf(url, sizeof(url), "%s%s", shop->stripe_url, path);
    (void)snprintf(key, sizeof(key), "Idempotency-Key: %s", token);
    const char *const headers[] = {key, "Stripe-Version: " STRIPE_VERSION, NULL};
    const struct pay_fetch fetch = {
        .url = url, .bearer = shop->stripe_key, .form = form->data, .headers = headers};
    return ask_stripe(shop, &fetch, root, code, why);
}

static enum pay_outcome open_order(const struct pay_shop *shop, const struct pay_order *order,
                                   struct pay_opened *opened, char why[PAY_WHY_MAX])
{
    char memory[FETCH_FORM_MAX], code[CODE_MAX];
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
        take_text(root, "id", opened->ref, sizeof(opened->ref));
        take_text(root, "url", opened->url, sizeof(opened->url));
        if (!opened->ref[0] ||
            (strncmp(opened->url, "https://", 8) != 0 && strncmp(opened->url, "http://", 7) != 0)) {
            (void)snprintf(why, PAY_WHY_MAX, "the answer has no id or no url");
            outcome = PAY_AGAIN;
        }
    }
    json_decref(root);
    return outcome == PAY_UNKNOWN ? PAY_REFUSED : outcome;
}

/* --- asking for one --- */

static enum pay_outcome ask_order(const struct pay_shop *shop, const struct pay_order *order,
                                  struct pay_event *event, char why[PAY_WHY_MAX])
{
    char url[PAY_URL_MAX], code[CODE_MAX];
    *event = (struct pay_event){0};
    if (order->ref[strspn(order->ref, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] !=
        '\0')
        return PAY_UNKNOWN;
    (void)snprintf(url, sizeof(url), "%s/v1/checkout/sessions/%s", shop->stripe_url, order->ref);
    const char *const headers[] = {"Stripe-Version: " STRIPE_VERSION, NULL};
    const struct pay_fetch fetch = {.url = url, .bearer = shop->stripe_key, .headers = headers};
    json_t *root;
    enum pay_outcome outcome = ask_stripe(shop, &fetch, &root, code, why);
    if (outcome == PAY_OK) {
        read_session(root, event);
        if (strcmp(event->token, order->token) != 0) {
            (void)snprintf(why, PAY_WHY_MAX, "the answer is about another order");
            outcome = PAY_AGAIN;
        } else if (text_is(root, "payment_status", "paid")) {
            event->kind = PAY_PAID;
        } else if (text_is(root, "status", "expired")) {
            event->kind = PAY_EXPIRED;
        }
    }
    if (outcome == PAY_OK && event->kind != PAY_NOTHING)
        (void)snprintf(event->id, sizeof(event->id), "asked:%s:%s", order->token, pay_kind_name(event->kind));
    json_decref(root);
    return outcome;
}

/* --- giving the money back --- */

static enum pay_outcome refund_payment(const struct pay_shop *shop, const struct pay_refund *refund,
                                       char ref[PAY_REF_MAX], char why[PAY_WHY_MAX])
{
    char memory[FETCH_FORM_MAX], token[sizeof("refund-") + PAY_TOKEN_MAX], code[CODE_MAX];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    pay_fetch_form(&form, "payment_intent", refund->payment);
    pay_fetch_form(&form, "reason", "requested_by_customer");
    pay_fetch_form(&form, "metadata[refund]", refund->token);
    ASSERT(!form.full);
    ref[0] = '\0';
    (void)snprintf(token, sizeof(token), "refund-%s", refund->token);
    json_t *root;
    enum pay_outcome outcome = post_form(shop, "/v1/refunds", &form, token, &root, code, why);
    if (outcome == PAY_OK) {
        take_text(root, "id", ref, PAY_REF_MAX);
        if (text_is(root, "status", "failed") || text_is(root, "status", "canceled")) {
            (void)snprintf(why, PAY_WHY_MAX, "the refund failed");
            outcome = PAY_REFUSED;
        } else if (!ref[0] || !text_is(root, "object", "refund")) {
            (void)snprintf(why, PAY_WHY_MAX, "the answer is no refund");
            outcome = PAY_AGAIN;
        }
    }
    json_decref(root);
    if (outcome == PAY_REFUSED && strcmp(code, "charge_already_refunded") == 0)
        return PAY_OK; /* by hand, at Stripe's own page */
    return outcome == PAY_UNKNOWN ? PAY_REFUSED : outcome;
}

/* --- the webhook --- */

/* "t=1492774577,v1=5257a8…,v1=…,v0=…": the time and the signatures of scheme v1. */
struct signature {
    int64_t t;
    char t_text[24];
    uint8_t macs[SIGNATURES_MAX][crypto_auth_hmacsha256_BYTES];
    int n;
};

static bool read_signature(const char *header, struct signature *s)
{
    *s = (struct signature){.t = -1};
    while (*header) {
        size_t len = strcspn(header, ",");
        if (len > 2 && strncmp(header, "t=", 2) == 0 && len - 2 < sizeof(s->t_text)) {
            (void)snprintf(s->t_text, sizeof(s->t_text), "%.*s", (int)(len - 2), header + 2);
            if (!text_i64(s->t_text, 0, INT64_MAX, &s->t))
                return false;
        } else if (len > 3 && strncmp(header, "v1=", 3) == 0 && s->n < SIGNATURES_MAX) {
            if (text_unhex(s->macs[s->n], sizeof(s->macs[0]), header + 3, len - 3) == (int)sizeof(s->macs[0]))
                s->n++;
        }
        header += len;
        header += strspn(header, ", ");
    }
    return s->t >= 0 && s->n > 0;
}

static enum pay_hook_result verify(const struct pay_shop *shop, const struct pay_hook *call)
{
    struct signature s;
    uint8_t mac[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state state;
    if (!call->signature || !read_signature(call->signature, &s))
        return PAY_HOOK_UNSIGNED;
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)shop->stripe_secret,
                                strlen(shop->stripe_secret));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)s.t_text, strlen(s.t_text));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)".", 1);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)call->body, call->len);
    crypto_auth_hmacsha256_final(&state, mac);
    bool good = false;
    for (int i = 0; i < s.n; i++)
        good = text_equal_ct(mac, sizeof(mac), s.macs[i], sizeof(s.macs[i])) || good;
    sodium_memzero(&state, sizeof(state));
    if (!good)
        return PAY_HOOK_UNSIGNED;
    int64_t age = call->now_s - s.t;
    return age > PAY_TOLERANCE_S || age < -PAY_TOLERANCE_S ? PAY_HOOK_STALE : PAY_HOOK_OK;
}

static void read_dispute(const json_t *dispute, bool closed, struct pay_event *event)
{
    take_text(dispute, "id", event->subject, sizeof(event->subject));
    take_ref(dispute, "payment_intent", event->payment);
    take_amount(dispute, "amount", event);
    const char *status = json_string_value(json_object_get(dispute, "status"));
    if (!closed) /* a "warning_…" is an inquiry: the money is still ours */
        event->kind = status && strncmp(status, "warning_", 8) == 0 ? PAY_NOTHING : PAY_DISPUTED;
    else if (text_is(dispute, "status", "lost"))
        event->kind = PAY_DISPUTE_LOST;
    else /* won, or a mere inquiry that came to nothing */
        event->kind = PAY_DISPUTE_WON;
}

/* A refund that was on its way and did not arrive. Stripe tells of it in up to three events: all are one
 * fact. */
static void read_refund(const json_t *refund, struct pay_event *event)
{
    if (!text_is(refund, "status", "failed") && !text_is(refund, "status", "canceled"))
        return;
    char id[REFUND_ID_MAX];
    take_text(refund, "id", id, sizeof(id));
    if (!id[0] || !is_printed(id))
        return;
    (void)snprintf(event->subject, sizeof(event->subject), "%s", id);
    (void)snprintf(event->id, sizeof(event->id), "failed:%s", id);
    take_ref(refund, "payment_intent", event->payment);
    take_amount(refund, "amount", event);
    event->kind = PAY_REFUND_FAILED;
}

static void read_event(const char *type, const json_t *object, struct pay_event *event)
{
    static const struct {
        const char *type;
        enum pay_kind kind;
    } of_sessions[] = {
        {"checkout.session.completed", PAY_PAID}, /* if it says so: some ways to pay take days */
        {"checkout.session.async_payment_succeeded", PAY_PAID},
        {"checkout.session.async_payment_failed", PAY_FAILED},
        {"checkout.session.expired", PAY_EXPIRED},
    };
    for (size_t i = 0; i < ARRAY_LEN(of_sessions); i++) {
        if (strcmp(type, of_sessions[i].type) != 0)
            continue;
        read_session(object, event);
        bool paid = text_is(object, "payment_status", "paid");
        event->kind = of_sessions[i].kind != PAY_PAID || paid ? of_sessions[i].kind : PAY_NOTHING;
        return;
    }
    if (strcmp(type, "charge.refunded") == 0) {
        take_token(json_object_get(object, "metadata"), "order", event->token);
        take_ref(object, "payment_intent", event->payment);
        take_amount(object, "amount_refunded", event);
        event->kind = PAY_REFUNDED;
    } else if (strcmp(type, "charge.refund.updated") == 0 || strcmp(type, "refund.updated") == 0 ||
               strcmp(type, "refund.failed") == 0) {
        read_refund(object, event);
    } else if (strcmp(type, "charge.dispute.created") == 0 ||
               strcmp(type, "charge.dispute.funds_withdrawn") == 0) {
        read_dispute(object, false, event);
    } else if (strcmp(type, "charge.dispute.closed") == 0) {
        read_dispute(object, true, event);
    }
}

static enum pay_hook_result read_hook(const struct pay_shop *shop, const struct pay_hook *call,
                                      struct pay_event *event)
{
    *event = (struct pay_event){0};
    enum pay_hook_result result = verify(shop, call);
    if (result != PAY_HOOK_OK)
        return result;
    json_t *root = json_loadb(call->body, call->len, JSON_REJECT_DUPLICATES, NULL);
    const char *type = json_string_value(json_object_get(root, "type"));
    const json_t *object = json_object_get(json_object_get(root, "data"), "object");
    take_text(root, "id", event->id, sizeof(event->id));
    event->at_s = json_integer_value(json_object_get(root, "created"));
    if (event->at_s < 0 || event->at_s > TIME_S_MAX)
        event->at_s = 0;
    if (type && event->id[0] && is_printed(event->id) && json_is_object(object))
        read_event(type, object, event);
    else
        result = PAY_HOOK_BAD;
    json_decref(root);
    return result;
}

const struct pay_provider pay_stripe = {
    .name = "stripe",
    .signature_header = "Stripe-Signature",
    .on = is_on,
    .open = open_order,
    .ask = ask_order,
    .refund = refund_payment,
    .hook = read_hook,
};
