/* Input from payment providers and stores, or from impostors: webhooks, receipts, amounts. The first byte
 * selects the provider. Nothing unsigned is accepted. With a valid signature the body may contain anything,
 * and the result can be stored. */
#include "base/bug.h"
#include "base/text.h"
#include "net/read.h"
#include "pay/amount.h"
#include "pay/jws.h"
#include "pay/pay.h"
#include "pay/paypal_events.h"
#include "pay/read.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOW 1800000000
#define SECRET "0123456789abcdef0123456789abcdef"

static struct pay_shop shop = {.stripe_key = SECRET,
                               .stripe_webhook_secret = SECRET,
                               .sms_number = "70707",
                               .sms_keyword = "GOLD",
                               .sms_secret = SECRET,
                               .apple_bundle_id = "com.example",
                               .apple_environment = "Production",
                               .google_package = "com.example"};

/* A root that no certificate chain leads to. */
static struct pay_root *make_root(void)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *cert = X509_new();
    BIO *bio = BIO_new(BIO_s_mem());
    char *pem;
    ASSERT(key && cert && bio && X509_set_version(cert, 0) == 1);
    ASSERT(X509_gmtime_adj(X509_getm_notBefore(cert), 0) && X509_gmtime_adj(X509_getm_notAfter(cert), 3600));
    ASSERT(X509_set_pubkey(cert, key) == 1 && X509_sign(cert, key, EVP_sha256()) > 0);
    ASSERT(PEM_write_bio_X509(bio, cert) == 1);
    long len = BIO_get_mem_data(bio, &pem);
    struct pay_root *root = pay_root_new(pem, (size_t)len);
    EVP_PKEY_free(key);
    X509_free(cert);
    BIO_free(bio);
    return root;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    ASSERT(sodium_init() >= 0);
    shop.own[PAY_INDEX_apple] = make_root();
    ASSERT(shop.own[PAY_INDEX_apple]);
    return 0;
}

static void sign(const char *prefix, const char *body, size_t len, char out[128])
{
    crypto_auth_hmacsha256_state state;
    uint8_t mac[crypto_auth_hmacsha256_BYTES];
    char hex[2 * sizeof(mac) + 1], t[16];
    (void)snprintf(t, sizeof(t), "%d.", NOW);
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)SECRET, strlen(SECRET));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)prefix, strlen(prefix));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)t, strlen(t));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)body, len);
    crypto_auth_hmacsha256_final(&state, mac);
    text_hex(hex, mac, sizeof(mac));
    (void)snprintf(out, 128, "t=%d,v1=%s", NOW, hex);
}

/* The values that the database would get. */
static void check_event(const struct pay_event *event)
{
    ASSERT(event->kind == PAY_NOTHING || event->kind == PAY_NEWS || net_read_printed(event->id));
    ASSERT(event->token[0] == '\0' || strlen(event->token) == 36);
    ASSERT(event->at_s >= 0 && event->at_s <= PAY_TIME_S_MAX);
    ASSERT(strlen(event->ref) < sizeof(event->ref) && strlen(event->payment) < sizeof(event->payment));
}

static void hook_signed(const struct pay_provider *provider, const char *prefix, const char *body, size_t len)
{
    char signature[128];
    struct pay_event event;
    sign(prefix, body, len, signature);
    struct pay_hook call = {.body = body, .len = len, .headers = {signature}, .now_s = NOW};
    enum pay_hook_result result = provider->hook(&shop, &call, &event);
    ASSERT(result == PAY_HOOK_OK || result == PAY_HOOK_BAD);
    if (result == PAY_HOOK_OK)
        check_event(&event);
    call.headers[0] = body; /* ends with a NUL */
    ASSERT(provider->hook(&shop, &call, &event) == PAY_HOOK_UNSIGNED);
}

static void hook_plain(const struct pay_provider *provider, const char *body, size_t len)
{
    struct pay_event event;
    const struct pay_hook call = {.body = body, .len = len, .now_s = NOW};
    enum pay_hook_result result = provider->hook(&shop, &call, &event);
    ASSERT(provider != &pay_apple || result != PAY_HOOK_OK);
    ASSERT(result != PAY_HOOK_OK || event.kind == PAY_NOTHING || event.kind == PAY_NEWS);
}

static void read_paypal(const char *body, size_t len)
{
    struct pay_event event;
    json_t *root = net_read_object(body, len);
    if (root && pay_paypal_read_event(root, &event))
        check_event(&event);
    event = (struct pay_event){0};
    if (root)
        pay_paypal_read_order(root, &event);
    json_decref(root);
}

static void read_amount(const char *text)
{
    static const char *const currencies[] = {"eur", "jpy", "kwd"};
    char again[PAY_AMOUNT_MAX];
    for (size_t i = 0; i < ARRAY_LEN(currencies); i++) {
        int64_t minor, same;
        if (!pay_amount_read(text, currencies[i], &minor))
            continue;
        ASSERT(minor >= 0);
        if (minor > 0)
            ASSERT(pay_amount_write(minor, currencies[i], 3, again) &&
                   pay_amount_read(again, currencies[i], &same) && same == minor);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t len = size - 1;
    char *text = malloc(size);
    ASSERT(text);
    memcpy(text, data + 1, len);
    text[len] = '\0';
    switch (data[0] % 7) {
    case 0:
        hook_signed(&pay_stripe, "", text, len);
        break;
    case 1:
        hook_signed(&pay_sms, "rummyd-sms-v1.", text, len);
        break;
    case 2:
        read_paypal(text, len);
        break;
    case 3:
        hook_plain(&pay_google, text, len);
        break;
    case 4:
        hook_plain(&pay_apple, text, len);
        break;
    case 5:
        ASSERT(!pay_jws_read(shop.own[PAY_INDEX_apple], text));
        break;
    default:
        read_amount(text);
    }
    free(text);
    return 0;
}
