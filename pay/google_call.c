/* Requests to the Google Play Developer API; see google_call.h. */
#include "pay/google_call.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "net/fetch.h"
#include "net/read.h"
#include "pay/bearer.h"
#include "pay/outcome.h"
#include "pay/read.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCOPE "https://www.googleapis.com/auth/androidpublisher"
#define ASSERTION_S 600    /* so long it counts */
#define ASSERTION_MAX 4096 /* bytes, with the NUL */
#define SIGNATURE_MAX 1024 /* bytes: RSA of 8192 bits */
#define EMAIL_MAX 256

struct pay_google_account {
    char email[EMAIL_MAX];
    EVP_PKEY *key;
};

struct pay_google_account *pay_google_account_new(const char *text, size_t len)
{
    struct pay_google_account *account = calloc(1, sizeof(*account));
    if (!account)
        return NULL;
    json_t *root = net_read_object(text, len);
    const char *pem = json_string_value(json_object_get(root, "private_key"));
    BIO *bio = pem ? BIO_new_mem_buf(pem, -1) : NULL;
    if (bio) {
        net_read_text(root, "client_email", account->email, sizeof(account->email));
        account->key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    }
    bool good = bio && net_read_printed(account->email) && account->key &&
                EVP_PKEY_get_base_id(account->key) == EVP_PKEY_RSA &&
                EVP_PKEY_get_bits(account->key) >= 2048 && EVP_PKEY_get_size(account->key) <= SIGNATURE_MAX;
    BIO_free(bio);
    json_decref(root);
    if (good)
        return account;
    pay_google_account_free(account);
    return NULL;
}

void pay_google_account_free(struct pay_google_account *account)
{
    if (!account)
        return;
    EVP_PKEY_free(account->key);
    free(account);
}

static void write_claims(struct buf *json, const struct pay_google_account *account, const char *audience,
                         int64_t now_s)
{
    json_open(json, '{');
    json_kv_text(json, "iss", account->email);
    json_kv_text(json, "scope", SCOPE);
    json_kv_text(json, "aud", audience);
    json_kv_num(json, "iat", now_s);
    json_kv_num(json, "exp", now_s + ASSERTION_S);
    json_close(json, '}');
}

char *pay_google_assertion(const struct pay_google_account *account, const char *audience, int64_t now_s)
{
    static const char header[] = "{\"alg\":\"RS256\",\"typ\":\"JWT\"}";
    char claims[2048], *out = malloc(ASSERTION_MAX);
    unsigned char signature[SIGNATURE_MAX];
    size_t signature_len = sizeof(signature);
    struct buf json = buf_on(claims, sizeof(claims));
    write_claims(&json, account, audience, now_s);
    if (!out || json.full) {
        free(out);
        return NULL;
    }
    text_b64url(out, (const uint8_t *)header, sizeof(header) - 1);
    size_t len = strlen(out);
    out[len++] = '.';
    text_b64url(out + len, (const uint8_t *)claims, json.len);
    len += strlen(out + len);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good = ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, account->key) == 1 &&
                EVP_DigestSign(ctx, signature, &signature_len, (const unsigned char *)out, len) == 1 &&
                len + 2 + (signature_len + 2) / 3 * 4 < ASSERTION_MAX;
    EVP_MD_CTX_free(ctx);
    if (!good) {
        free(out);
        return NULL;
    }
    out[len++] = '.';
    text_b64url(out + len, signature, signature_len);
    return out;
}

static void read_error(const struct net_fetched *answer, char why[PAY_WHY_MAX])
{
    char said[100];
    json_t *root = json_loadb(answer->body, answer->len, 0, NULL);
    const json_t *error = json_object_get(root, "error");
    net_read_text(json_is_object(error) ? error : root, json_is_object(error) ? "status" : "error", said,
                  sizeof(said));
    (void)snprintf(why, PAY_WHY_MAX, "%ld %s", answer->status, said);
    json_decref(root);
}

static enum pay_outcome new_bearer(const struct pay_shop *shop, char bearer[PAY_BEARER_MAX],
                                   char why[PAY_WHY_MAX])
{
    char memory[ASSERTION_MAX + 256];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    char *assertion =
        pay_google_assertion(shop->google_account, shop->google_token_url, clock_unix_ms() / 1000);
    if (!assertion) {
        (void)snprintf(why, PAY_WHY_MAX, "cannot sign as the service account");
        return PAY_AGAIN;
    }
    net_fetch_form(&form, "grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
    net_fetch_form(&form, "assertion", assertion);
    free(assertion);
    memory[form.len] = '\0';
    const struct net_fetch fetch = {.url = shop->google_token_url, .form = memory};
    struct net_fetched answer;
    (void)net_fetch_run(&shop->net, &fetch, &answer);
    enum pay_outcome outcome = pay_outcome_of(&answer, why);
    if (outcome != PAY_OK && answer.status != 0)
        read_error(&answer, why);
    json_t *root = outcome == PAY_OK ? net_read_object(answer.body, answer.len) : NULL;
    net_read_text(root, "access_token", bearer, PAY_BEARER_MAX);
    int64_t seconds = json_integer_value(json_object_get(root, "expires_in"));
    json_decref(root);
    net_fetch_free(&answer);
    if (outcome != PAY_OK) /* whatever it is, an operator can mend it */
        return PAY_AGAIN;
    if (!net_read_printed(bearer)) {
        (void)snprintf(why, PAY_WHY_MAX, "the answer has no access token");
        return PAY_AGAIN;
    }
    pay_bearer_keep(shop->bearers, PAY_BEARER_GOOGLE, bearer, seconds);
    return PAY_OK;
}

static void run(const struct pay_shop *shop, const char *path, bool post, const char *bearer,
                struct net_fetched *answer)
{
    char url[PAY_URL_MAX];
    (void)snprintf(url, sizeof(url), "%s%s", shop->google_url, path);
    const struct net_fetch fetch = {.url = url, .bearer = bearer, .json = post ? "" : NULL};
    (void)net_fetch_run(&shop->net, &fetch, answer);
}

enum pay_outcome pay_google_ask(const struct pay_shop *shop, const char *path, bool post, json_t **root,
                                char why[PAY_WHY_MAX])
{
    char bearer[PAY_BEARER_MAX];
    struct net_fetched answer;
    *root = NULL;
    bool kept = pay_bearer_get(shop->bearers, PAY_BEARER_GOOGLE, bearer);
    if (!kept && new_bearer(shop, bearer, why) != PAY_OK)
        return PAY_AGAIN;
    run(shop, path, post, bearer, &answer);
    if (answer.status == 401 && kept) { /* taken back before its time */
        pay_bearer_drop(shop->bearers, PAY_BEARER_GOOGLE, bearer);
        net_fetch_free(&answer);
        if (new_bearer(shop, bearer, why) != PAY_OK)
            return PAY_AGAIN;
        run(shop, path, post, bearer, &answer);
    }
    sodium_memzero(bearer, sizeof(bearer));
    enum pay_outcome outcome = pay_outcome_of(&answer, why);
    if (outcome != PAY_OK && answer.status != 0)
        read_error(&answer, why);
    if (outcome == PAY_OK && answer.len > 0) {
        *root = net_read_object(answer.body, answer.len);
        if (!*root) {
            (void)snprintf(why, PAY_WHY_MAX, "the answer is no JSON object");
            outcome = PAY_AGAIN;
        }
    }
    net_fetch_free(&answer);
    return outcome;
}
