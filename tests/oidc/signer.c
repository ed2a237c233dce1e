/* See signer.h. */
#include "tests/oidc/signer.h"

#include <criterion/criterion.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { P256 = 32 };

static EVP_PKEY *kept[16];
static size_t kept_n;

static void free_kept(void)
{
    for (size_t i = 0; i < kept_n; i++)
        EVP_PKEY_free(kept[i]);
}

/* Kept until the test process ends. */
static EVP_PKEY *keep(EVP_PKEY *key)
{
    cr_assert(key && kept_n < sizeof(kept) / sizeof(kept[0]));
    if (kept_n == 0)
        cr_assert_eq(atexit(free_kept), 0);
    return kept[kept_n++] = key;
}

struct signer signer_rsa(unsigned bits, const char *kid)
{
    return (struct signer){keep(EVP_RSA_gen(bits)), "RS256", kid};
}

struct signer signer_ec(const char *curve, const char *kid)
{
    return (struct signer){keep(EVP_EC_gen(curve)), "ES256", kid};
}

char *b64url_of(const void *bytes, size_t len)
{
    size_t cap = sodium_base64_ENCODED_LEN(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    char *text = malloc(cap);
    cr_assert_not_null(text);
    return sodium_bin2base64(text, cap, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static json_t *json_b64url(const void *bytes, size_t len)
{
    char *text = b64url_of(bytes, len);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *json_number_of(EVP_PKEY *key, const char *name)
{
    BIGNUM *number = NULL;
    unsigned char bytes[1024];
    cr_assert_eq(EVP_PKEY_get_bn_param(key, name, &number), 1);
    int len = BN_bn2bin(number, bytes);
    BN_free(number);
    return json_b64url(bytes, (size_t)len);
}

json_t *signer_jwk(const struct signer *signer)
{
    json_t *jwk = json_object();
    if (signer->alg[0] == 'R') {
        json_object_set_new(jwk, "kty", json_string("RSA"));
        json_object_set_new(jwk, "n", json_number_of(signer->key, OSSL_PKEY_PARAM_RSA_N));
        json_object_set_new(jwk, "e", json_number_of(signer->key, OSSL_PKEY_PARAM_RSA_E));
    } else {
        unsigned char point[1 + 2 * P256];
        size_t len = 0;
        cr_assert_eq(EVP_PKEY_get_octet_string_param(signer->key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, point,
                                                     sizeof(point), &len),
                     1);
        json_object_set_new(jwk, "kty", json_string("EC"));
        json_object_set_new(jwk, "crv", json_string("P-256"));
        json_object_set_new(jwk, "x", json_b64url(point + 1, P256));
        json_object_set_new(jwk, "y", json_b64url(point + 1 + P256, P256));
    }
    json_object_set_new(jwk, "use", json_string("sig"));
    json_object_set_new(jwk, "alg", json_string(signer->alg));
    json_object_set_new(jwk, "kid", json_string(signer->kid));
    return jwk;
}

char *signer_set(const struct signer *signers, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, signer_jwk(&signers[i]));
    json_t *set = json_pack("{s:o}", "keys", list);
    char *text = json_dumps(set, JSON_COMPACT);
    json_decref(set);
    return text;
}

/* r and s concatenated, as in RFC 7518, 3.4. */
static size_t raw_of(const unsigned char *der, size_t len, uint8_t *out)
{
    const unsigned char *at = der;
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &at, (long)len);
    cr_assert_not_null(sig);
    cr_assert_eq(BN_bn2binpad(ECDSA_SIG_get0_r(sig), out, P256), P256);
    cr_assert_eq(BN_bn2binpad(ECDSA_SIG_get0_s(sig), out + P256, P256), P256);
    ECDSA_SIG_free(sig);
    return 2 * P256;
}

static size_t sign(const struct signer *signer, const char *text, uint8_t *out, size_t cap)
{
    unsigned char made[1024];
    size_t len = sizeof(made);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    cr_assert_eq(EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, signer->key), 1);
    cr_assert_eq(EVP_DigestSign(ctx, made, &len, (const unsigned char *)text, strlen(text)), 1);
    EVP_MD_CTX_free(ctx);
    if (signer->alg[0] == 'E')
        return raw_of(made, len, out);
    cr_assert_leq(len, cap);
    memcpy(out, made, len);
    return len;
}

/* Takes ownership of the second part. */
static char *joined(const char *first, char *second)
{
    size_t cap = strlen(first) + strlen(second) + 2;
    char *text = malloc(cap);
    cr_assert_not_null(text);
    (void)snprintf(text, cap, "%s.%s", first, second);
    free(second);
    return text;
}

static char *signed_part(const char *header, const char *payload)
{
    char *first = b64url_of(header, strlen(header));
    char *text = joined(first, b64url_of(payload, strlen(payload)));
    free(first);
    return text;
}

char *token_of(const char *header, const char *payload, const uint8_t *signature, size_t len)
{
    char *first = signed_part(header, payload);
    char *text = joined(first, b64url_of(signature, len));
    free(first);
    return text;
}

char *signer_token(const struct signer *signer, const char *header, const char *payload)
{
    uint8_t signature[1024];
    char *text = signed_part(header, payload);
    size_t len = sign(signer, text, signature, sizeof(signature));
    free(text);
    return token_of(header, payload, signature, len);
}

char *json_changed(const char *usual, const char *changes)
{
    json_t *object = json_loads(usual, 0, NULL), *more = json_loads(changes, JSON_ALLOW_NUL, NULL), *value;
    const char *name;
    cr_assert(json_is_object(object) && json_is_object(more), "%s %s", usual, changes);
    json_object_foreach(more, name, value)
    {
        if (json_is_null(value))
            json_object_del(object, name);
        else
            json_object_set(object, name, value);
    }
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    json_decref(more);
    return text;
}
