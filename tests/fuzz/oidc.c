/* Responses of an OpenID Connect provider, or of an impostor: discovery, keys, ID tokens; and the operator's
 * file. The first byte selects which. Whatever the input, only tokens signed with the one valid key are
 * accepted, and only for the identity in them. */
#include "base/bug.h"
#include "base/text.h"
#include "net/jws.h"
#include "net/read.h"
#include "oidc/answers.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOW 1800000000
#define ISSUER "https://accounts.example"
#define CLIENT "rummy"
#define NONCE "nonce-of-this-sign-in"

static const struct oidc_provider provider = {.issuer = ISSUER, .client_id = CLIENT};
static const struct oidc_expected expected = {ISSUER, CLIENT, NONCE, NOW};
static EVP_PKEY *key;
static struct oidc_keys *keys; /* its public part */

static struct oidc_keys *publish(void)
{
    unsigned char point[65];
    size_t len = 0;
    char x[44], y[44], set[256], why[OIDC_WHY_MAX];
    ASSERT(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, point, sizeof(point),
                                           &len) == 1 &&
           len == sizeof(point));
    text_b64url(x, point + 1, 32);
    text_b64url(y, point + 33, 32);
    (void)snprintf(set, sizeof(set),
                   "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"k\",\"x\":\"%s\",\"y\":\"%s\"}]}",
                   x, y);
    return oidc_keys_read(set, strlen(set), why);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    key = EVP_EC_gen("P-256");
    ASSERT(key);
    keys = publish();
    ASSERT(keys);
    return 0;
}

/* Printable ASCII, not only spaces. */
static bool is_subject(const char *text)
{
    bool visible = false;
    for (; *text >= ' ' && *text <= '~'; text++)
        visible = visible || *text != ' ';
    return visible && *text == '\0';
}

/* r and s concatenated, in JOSE's format. */
static void sign(const char *text, size_t len, uint8_t raw[64])
{
    unsigned char der[80];
    const unsigned char *at = der;
    size_t der_len = sizeof(der);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    ASSERT(ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
           EVP_DigestSign(ctx, der, &der_len, (const unsigned char *)text, len) == 1);
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &at, (long)der_len);
    ASSERT(sig && BN_bn2binpad(ECDSA_SIG_get0_r(sig), raw, 32) == 32 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(sig), raw + 32, 32) == 32);
    ECDSA_SIG_free(sig);
    EVP_MD_CTX_free(ctx);
}

/* These claims with a valid signature. */
static void read_claims(const char *claims, size_t len)
{
    static const char header[] = "{\"alg\":\"ES256\",\"kid\":\"k\"}";
    char why[OIDC_WHY_MAX];
    uint8_t raw[64];
    struct oidc_person person;
    char *text = malloc(len * 2 + 512);
    ASSERT(text);
    text_b64url(text, (const uint8_t *)header, sizeof(header) - 1);
    size_t at = strlen(text);
    text[at++] = '.';
    text_b64url(text + at, (const uint8_t *)claims, len);
    at += strlen(text + at);
    sign(text, at, raw);
    text[at++] = '.';
    text_b64url(text + at, raw, sizeof(raw));
    enum oidc_token_result result = oidc_token_check(keys, &expected, text, &person, why);
    ASSERT(result != OIDC_TOKEN_KEY_UNKNOWN);
    if (result == OIDC_TOKEN_OK) {
        json_t *root = net_read_object(claims, len);
        ASSERT(net_read_is(root, "iss", ISSUER) && net_read_is(root, "nonce", NONCE) &&
               net_read_is(root, "sub", person.subject) && is_subject(person.subject));
        int64_t exp;
        ASSERT(net_read_number(root, "exp", &exp) && exp > NOW - OIDC_SKEW_S);
        ASSERT(person.email[0] == '\0' ||
               (text_email_ok(person.email) && net_read_is(root, "email", person.email)));
        json_decref(root);
    } else {
        ASSERT(person.subject[0] == '\0' && person.email[0] == '\0');
    }
    /* Changes one byte of the signature. */
    text[at + 7] = text[at + 7] == 'A' ? 'B' : 'A';
    ASSERT(oidc_token_check(keys, &expected, text, &person, why) == OIDC_TOKEN_BAD);
    free(text);
}

static void read_discovery(const char *body, size_t len)
{
    struct oidc_endpoints endpoints;
    char why[OIDC_WHY_MAX];
    const struct oidc_client oidc = {0};
    if (!oidc_discovery_read(&oidc, &provider, body, len, &endpoints, why))
        return;
    ASSERT(strncmp(endpoints.authorize, "https://", 8) == 0 && strncmp(endpoints.token, "https://", 8) == 0 &&
           strncmp(endpoints.keys, "https://", 8) == 0);
}

static void read_keys(const char *body, size_t len)
{
    char why[OIDC_WHY_MAX];
    struct oidc_person person;
    struct oidc_keys *set = oidc_keys_read(body, len, why);
    if (set)
        ASSERT(oidc_token_check(set, &expected, "e30.e30.AAAA", &person, why) == OIDC_TOKEN_BAD);
    oidc_keys_free(set);
}

static void read_config(const char *body, size_t len)
{
    char why[OIDC_WHY_MAX] = "";
    struct oidc_client *oidc = calloc(1, sizeof(*oidc));
    ASSERT(oidc);
    if (oidc_config_read(oidc, body, len, why))
        for (size_t i = 0; i < oidc->providers_n; i++)
            ASSERT(oidc_find(oidc, oidc->provider[i].id) == &oidc->provider[i] &&
                   oidc_url_ok(oidc, oidc->provider[i].issuer));
    else
        ASSERT(why[0] != '\0');
    free(oidc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t len = size - 1;
    char why[OIDC_WHY_MAX];
    struct oidc_person person;
    char *text = malloc(size);
    ASSERT(text);
    memcpy(text, data + 1, len);
    text[len] = '\0';
    switch (data[0] % 5) {
    case 0:
        read_discovery(text, len);
        break;
    case 1:
        read_keys(text, len);
        break;
    case 2:
        read_claims(text, len);
        break;
    case 3: /* only we have the key, so a token must never pass */
        ASSERT(oidc_token_check(keys, &expected, text, &person, why) != OIDC_TOKEN_OK);
        break;
    default:
        read_config(text, len);
    }
    free(text);
    return 0;
}
