/* Sets of public keys; see answers.h. */
#include "oidc/keys.h"

#include "base/text.h"
#include "net/read.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODULUS_MIN 256 /* bytes: 2048 bits */
#define MODULUS_MAX 1024
#define EXPONENT_MAX 8
#define P256_BYTES 32

/* Reads a number in base64url. -1: its length is not from min to max. */
static int read_bytes(const json_t *jwk, const char *name, uint8_t *out, size_t min, size_t max)
{
    const char *text = json_string_value(json_object_get(jwk, name));
    int n = text ? text_unb64url(out, max, text, strlen(text)) : -1;
    return n >= (int)min ? n : -1;
}

static EVP_PKEY *make_key(const char *kind, OSSL_PARAM_BLD *build)
{
    EVP_PKEY *key = NULL;
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *ctx = params ? EVP_PKEY_CTX_new_from_name(NULL, kind, NULL) : NULL;
    if (!ctx || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    return key;
}

static EVP_PKEY *read_rsa(const json_t *jwk)
{
    uint8_t n[MODULUS_MAX], e[EXPONENT_MAX];
    int n_len = read_bytes(jwk, "n", n, MODULUS_MIN, sizeof(n)),
        e_len = read_bytes(jwk, "e", e, 1, sizeof(e));
    if (n_len < 0 || e_len < 0 || n[0] == 0 || e[0] == 0 || !(e[e_len - 1] & 1) || (e_len == 1 && e[0] < 3))
        return NULL;
    BIGNUM *modulus = BN_bin2bn(n, n_len, NULL), *exponent = BN_bin2bn(e, e_len, NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (modulus && exponent && build && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, exponent) == 1)
        key = make_key("RSA", build);
    OSSL_PARAM_BLD_free(build);
    BN_free(modulus);
    BN_free(exponent);
    return key;
}

static EVP_PKEY *read_ec(const json_t *jwk)
{
    uint8_t point[1 + 2 * P256_BYTES] = {0x04};
    if (!net_read_is(jwk, "crv", "P-256") || read_bytes(jwk, "x", point + 1, P256_BYTES, P256_BYTES) < 0 ||
        read_bytes(jwk, "y", point + 1 + P256_BYTES, P256_BYTES, P256_BYTES) < 0)
        return NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (build && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)) == 1)
        key = make_key("EC", build);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX *ctx = key ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    if (key && (!ctx || EVP_PKEY_public_check(ctx) != 1)) { /* a point that is not on the curve */
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(ctx);
    return key;
}

/* Whether the member is missing or has this value. */
static bool may_be(const json_t *jwk, const char *name, const char *word)
{
    return !net_read_has(jwk, name) || net_read_is(jwk, name, word);
}

static bool read_key(const json_t *jwk, struct oidc_key *out)
{
    bool named = net_read_has(jwk, "kid");
    *out = (struct oidc_key){0};
    net_read_text(jwk, "kid", out->kid, sizeof(out->kid));
    if ((named && out->kid[0] == '\0') || !may_be(jwk, "use", "sig"))
        return false;
    if (net_read_is(jwk, "kty", "RSA") && may_be(jwk, "alg", "RS256")) {
        out->alg = OIDC_RS256;
        out->key = read_rsa(jwk);
    } else if (net_read_is(jwk, "kty", "EC") && may_be(jwk, "alg", "ES256")) {
        out->alg = OIDC_ES256;
        out->key = read_ec(jwk);
    }
    return out->key != NULL;
}

struct oidc_keys *oidc_keys_read(const char *body, size_t len, char why[OIDC_WHY_MAX])
{
    json_t *root = net_read_object(body, len);
    const json_t *list = json_object_get(root, "keys");
    struct oidc_keys *keys = calloc(1, sizeof(*keys));
    const char *what = "keys: none of use";
    if (!keys)
        what = "keys: out of memory";
    else if (!json_is_array(list))
        what = "keys: no set of keys";
    else if (json_array_size(list) > OIDC_KEYS_MAX)
        what = "keys: too many";
    else
        for (size_t i = 0; i < json_array_size(list); i++)
            keys->n += read_key(json_array_get(list, i), &keys->key[keys->n]);
    json_decref(root);
    if (keys && keys->n > 0)
        return keys;
    (void)snprintf(why, OIDC_WHY_MAX, "%s", what);
    oidc_keys_free(keys);
    return NULL;
}

void oidc_keys_free(struct oidc_keys *keys)
{
    if (!keys)
        return;
    for (size_t i = 0; i < keys->n; i++)
        EVP_PKEY_free(keys->key[i].key);
    free(keys);
}
