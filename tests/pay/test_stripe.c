/* Stripe's webhook: signed calls are accepted, others are not; and the order event in each call. */
#include "base/text.h"
#include "net/fetch.h"
#include "pay/pay.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define SECRET "whsec_0123456789abcdef"
#define NOW 1800000000LL
#define TOKEN "3b241101-e2bb-4255-8caf-4136c566a962"

static const struct pay_shop shop = {.public_url = "https://play.example",
                                     .stripe_url = "https://api.stripe.com",
                                     .stripe_key = "sk_test_0123456789",
                                     .stripe_webhook_secret = SECRET,
                                     .net.timeout_ms = 200};

static void setup(void)
{
    cr_assert(sodium_init() >= 0);
}
TestSuite(stripe, .init = setup);

static void sign(const char *secret, int64_t t, const char *body, char out[128])
{
    char signed_text[4096], hex[65];
    uint8_t mac[32];
    crypto_auth_hmacsha256_state state;
    (void)snprintf(signed_text, sizeof(signed_text), "%lld.%s", (long long)t, body);
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)signed_text, strlen(signed_text));
    crypto_auth_hmacsha256_final(&state, mac);
    text_hex(hex, mac, sizeof(mac));
    (void)snprintf(out, 128, "t=%lld,v1=%s", (long long)t, hex);
}

static enum pay_hook_result hook(const char *body, const char *signature, int64_t now,
                                 struct pay_event *event)
{
    const struct pay_hook call = {.body = body, .len = strlen(body), .headers = {signature}, .now_s = now};
    return pay_stripe.hook(&shop, &call, event);
}

static enum pay_hook_result told(const char *type, const char *object, struct pay_event *event)
{
    char body[2048], signature[128];
    (void)snprintf(body, sizeof(body), "{\"id\":\"evt_1\",\"type\":\"%s\",\"data\":{\"object\":%s}}", type,
                   object);
    sign(SECRET, NOW, body, signature);
    return hook(body, signature, NOW, event);
}

/* Made with openssl: printf '1800000000.{}' | openssl dgst -sha256 -hmac whsec_0123456789abcdef */
Test(stripe, the_signature_is_hmac_sha256_of_time_dot_body)
{
    char signature[128];
    sign(SECRET, NOW, "{}", signature);
    cr_assert_str_eq(signature,
                     "t=1800000000,v1=0670c993f4fc178e4a81d2e7c2ccbed77b608e0f2b0d9f417b7283b1c6028934");
}

Test(stripe, a_signature_is_valid_for_five_minutes_in_either_direction)
{
    static const char body[] = "{\"id\":\"evt_1\",\"type\":\"ping\",\"data\":{\"object\":{}}}";
    struct pay_event event;
    char signature[128];
    sign(SECRET, NOW, body, signature);
    cr_assert_eq(hook(body, signature, NOW + 300, &event), PAY_HOOK_OK);
    cr_assert_eq(hook(body, signature, NOW - 300, &event), PAY_HOOK_OK);
    cr_assert_eq(hook(body, signature, NOW + 301, &event), PAY_HOOK_STALE);
    cr_assert_eq(hook(body, signature, NOW - 301, &event), PAY_HOOK_STALE);
    cr_assert_eq(event.kind, PAY_NOTHING);
}

Test(stripe, unsigned_events_are_refused)
{
    static const char body[] = "{\"id\":\"evt_1\",\"type\":\"ping\",\"data\":{\"object\":{}}}";
    struct pay_event event;
    char good[128], other[256];
    sign(SECRET, NOW, body, good);
    cr_assert_eq(hook(body, NULL, NOW, &event), PAY_HOOK_UNSIGNED);
    cr_assert_eq(hook(body, "", NOW, &event), PAY_HOOK_UNSIGNED);
    cr_assert_eq(hook(body, "t=1800000000", NOW, &event), PAY_HOOK_UNSIGNED);
    cr_assert_eq(hook("{}", good, NOW, &event), PAY_HOOK_UNSIGNED);
    sign("whsec_another_secret", NOW, body, other);
    cr_assert_eq(hook(body, other, NOW, &event), PAY_HOOK_UNSIGNED);
    /* Nine signatures, one more than are checked. */
    char many[1024] = "t=1800000000";
    for (int i = 0; i < 8; i++)
        (void)snprintf(many + strlen(many), sizeof(many) - strlen(many), ",v1=%064d", i);
    (void)snprintf(many + strlen(many), sizeof(many) - strlen(many), ",%s", strchr(good, 'v'));
    cr_assert_eq(hook(body, many, NOW, &event), PAY_HOOK_UNSIGNED);
    (void)snprintf(other, sizeof(other), "t=1800000000,v1=%064d,%s", 7, strchr(good, 'v'));
    cr_assert_eq(hook(body, other, NOW, &event), PAY_HOOK_OK);
}

Test(stripe, a_paid_session_is_read)
{
    struct pay_event e;
    cr_assert_eq(told("checkout.session.completed",
                      "{\"id\":\"cs_1\",\"client_reference_id\":\"" TOKEN
                      "\",\"payment_status\":\"paid\",\"payment_intent\":\"pi_1\",\"amount_total\":499,"
                      "\"currency\":\"eur\"}",
                      &e),
                 PAY_HOOK_OK);
    cr_assert_eq(e.kind, PAY_PAID);
    cr_assert_str_eq(e.id, "evt_1");
    cr_assert_str_eq(e.token, TOKEN);
    cr_assert_str_eq(e.ref, "cs_1");
    cr_assert_str_eq(e.payment, "pi_1");
    cr_assert_str_eq(e.currency, "eur");
    cr_assert_eq(e.amount, 499);
}

struct said {
    const char *type, *object;
    enum pay_kind kind;
};

Test(stripe, each_event_has_its_meaning)
{
    static const struct said all[] = {
        {"checkout.session.completed", "{\"payment_status\":\"unpaid\"}", PAY_NOTHING},
        {"checkout.session.async_payment_succeeded", "{\"payment_status\":\"paid\"}", PAY_PAID},
        {"checkout.session.async_payment_succeeded", "{\"payment_status\":7}", PAY_NOTHING},
        {"checkout.session.async_payment_failed", "{\"payment_status\":\"unpaid\"}", PAY_FAILED},
        {"checkout.session.expired", "{}", PAY_EXPIRED},
        {"charge.refunded", "{}", PAY_REFUNDED},
        {"charge.refund.updated", "{\"id\":\"re_1\",\"status\":\"failed\"}", PAY_REFUND_FAILED},
        {"refund.failed", "{\"id\":\"re_1\",\"status\":\"failed\"}", PAY_REFUND_FAILED},
        {"refund.updated", "{\"id\":\"re_1\",\"status\":\"canceled\"}", PAY_REFUND_FAILED},
        {"refund.updated", "{\"id\":\"re_1\",\"status\":\"succeeded\"}", PAY_NOTHING},
        {"charge.refund.updated", "{\"status\":\"failed\"}", PAY_NOTHING},
        {"charge.dispute.created", "{\"status\":\"needs_response\"}", PAY_DISPUTED},
        {"charge.dispute.created", "{\"status\":\"warning_needs_response\"}", PAY_NOTHING},
        {"charge.dispute.funds_withdrawn", "{}", PAY_DISPUTED},
        {"charge.dispute.closed", "{\"status\":\"lost\"}", PAY_DISPUTE_LOST},
        {"charge.dispute.closed", "{\"status\":\"won\"}", PAY_DISPUTE_WON},
        {"charge.dispute.closed", "{\"status\":\"warning_closed\"}", PAY_DISPUTE_WON},
        {"customer.created", "{}", PAY_NOTHING},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct pay_event e;
        cr_assert_eq(told(all[i].type, all[i].object, &e), PAY_HOOK_OK);
        cr_assert_eq(e.kind, all[i].kind, "%s %s", all[i].type, all[i].object);
    }
}

/* Stripe reports it in up to three events. */
Test(stripe, a_failed_refund_is_one_event)
{
    struct pay_event a, b;
    const char *refund = "{\"id\":\"re_7\",\"status\":\"failed\",\"amount\":250,\"currency\":\"eur\","
                         "\"payment_intent\":\"pi_7\"}";
    cr_assert_eq(told("charge.refund.updated", refund, &a), PAY_HOOK_OK);
    cr_assert_eq(told("refund.failed", refund, &b), PAY_HOOK_OK);
    cr_assert_str_eq(a.id, "failed:re_7");
    cr_assert_str_eq(b.id, a.id);
    cr_assert_str_eq(a.subject, "re_7");
    cr_assert_str_eq(a.payment, "pi_7");
    cr_assert_eq(a.amount, 250);
}

Test(stripe, unknown_references_and_currencies_are_left_out)
{
    struct pay_event e;
    cr_assert_eq(told("charge.refunded",
                      "{\"metadata\":{\"order\":\"3b241101_e2bb_4255_8caf_4136c566a962\"},"
                      "\"payment_intent\":{\"id\":\"pi_2\"},\"amount_refunded\":5,\"currency\":\"euros\"}",
                      &e),
                 PAY_HOOK_OK);
    cr_assert_str_empty(e.token);
    cr_assert_str_eq(e.payment, "pi_2");
    cr_assert_str_empty(e.currency);
    cr_assert_eq(e.amount, 5);
}

Test(stripe, is_enabled_only_with_both_secrets)
{
    struct pay_shop s = shop;
    cr_assert(pay_stripe.on(&s));
    cr_assert_eq(pay_find(&s, "stripe"), &pay_stripe);
    cr_assert_null(pay_find(&s, "paypal"));
    s.stripe_webhook_secret = "";
    cr_assert_null(pay_find(&s, "stripe"));
    s = shop;
    s.stripe_key = "";
    cr_assert_null(pay_find(&s, "stripe"));
}

Test(stripe, a_form_is_percent_encoded)
{
    char memory[256];
    struct buf form = buf_on(memory, sizeof(memory));
    net_fetch_form(&form, "a[b]", "1 & 2 = \xC3\xA9/~");
    net_fetch_form_int(&form, "n", -5);
    cr_assert_eq(form.len, strlen("a[b]=1%20%26%202%20%3D%20%C3%A9%2F~&n=-5"));
    cr_assert_arr_eq(form.data, "a[b]=1%20%26%202%20%3D%20%C3%A9%2F~&n=-5", form.len);
}

/* Nothing listens on port 9 of this machine, and the process is shutting down. */
Test(stripe, an_unreachable_server_has_no_outcome)
{
    static const atomic_bool stop = true;
    struct pay_shop s = shop;
    struct pay_order order = {.token = TOKEN, .ref = "cs_1", .name = "Gold", .amount = 1, .currency = "eur"};
    struct pay_opened opened;
    struct pay_event event;
    char why[PAY_WHY_MAX] = "";
    s.stripe_url = "http://127.0.0.1:9";
    cr_assert(net_start());
    cr_assert_eq(pay_stripe.open(&s, &order, &opened, why), PAY_AGAIN);
    cr_assert_str_neq(why, "");
    s.net.stop = &stop;
    cr_assert_eq(pay_stripe.query(&s, &order, &event, why), PAY_AGAIN);
    cr_assert_str_eq(why, "the server stops");
    (void)snprintf(order.ref, sizeof(order.ref), "../../v1/charges");
    cr_assert_eq(pay_stripe.query(&s, &order, &event, why), PAY_UNKNOWN);
}
