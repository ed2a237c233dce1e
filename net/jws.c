/* JSON Web Signatures; see jws.h. */
#include "net/jws.h"

#include "base/text.h"
#include "net/read.h"

#include <openssl/ec.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define ES256_BYTES 64 /* r and s of P-256 */
#define RSA_BITS_MIN 2048
#define RSA_BITS_MAX 8192

static json_t *read_part(const char *text, size_t len)
{
    uint8_t *bytes = malloc(len + 1);
    int n = bytes ? text_unb64url(bytes, len + 1, text, len) : -1;
    json_t *object = n > 0 ? net_read_object((const char *)bytes, (size_t)n) : NULL;
    free(bytes);
    return object;
}

bool net_jws_split(const char *text, struct net_jws *jws)
{
    *jws = (struct net_jws){.text = text};
    const char *first = strlen(text) < NET_JWS_MAX ? strchr(text, '.') : NULL;
    const char *second = first ? strchr(first + 1, '.') : NULL;
    if (!second)
        return false;
    jws->signed_len = (size_t)(second - text);
    int n = text_unb64url(jws->signature, sizeof(jws->signature), second + 1, strlen(second + 1));
    jws->signature_len = n > 0 ? (size_t)n : 0;
    if (n > 0)
        jws->header = read_part(text, (size_t)(first - text));
    if (jws->header)
        jws->payload = read_part(first + 1, (size_t)(second - first - 1));
    if (jws->payload)
        return true;
    net_jws_free(jws);
    return false;
}

void net_jws_free(struct net_jws *jws)
{
    json_decref(jws->header);
    json_decref(jws->payload);
    jws->header = jws->payload = NULL;
}

static bool is_verified(const struct net_jws *jws, EVP_PKEY *key, const unsigned char *signature, size_t len)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good = ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
                EVP_DigestVerify(ctx, signature, len, (const unsigned char *)jws->text, jws->signed_len) == 1;
    EVP_MD_CTX_free(ctx);
    return good;
}

/* Extensions in "crit" change the meaning of the rest, and we support none. */
static bool header_says(const struct net_jws *jws, const char *alg)
{
    return net_read_is(jws->header, "alg", alg) && !json_object_get(jws->header, "crit");
}

/* Converts a JOSE signature (r and s concatenated) to DER, which OpenSSL requires. Returns the length of
 * *der; 0: failed. */
static int write_der(const uint8_t raw[ES256_BYTES], unsigned char **der)
{
    ECDSA_SIG *sig = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, ES256_BYTES / 2, NULL);
    BIGNUM *s = BN_bin2bn(raw + ES256_BYTES / 2, ES256_BYTES / 2, NULL);
    int len = 0;
    *der = NULL;
    if (sig && r && s && ECDSA_SIG_set0(sig, r, s) == 1) {
        r = s = NULL; /* the signature owns them now */
        len = i2d_ECDSA_SIG(sig, der);
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(sig);
    return len > 0 ? len : 0;
}

bool net_jws_es256(const struct net_jws *jws, EVP_PKEY *key)
{
    char group[32] = "";
    if (!header_says(jws, "ES256") || jws->signature_len != ES256_BYTES ||
        EVP_PKEY_get_base_id(key) != EVP_PKEY_EC ||
        EVP_PKEY_get_group_name(key, group, sizeof(group), NULL) != 1 || strcmp(group, "prime256v1") != 0)
        return false;
    unsigned char *der;
    int len = write_der(jws->signature, &der);
    bool good = len > 0 && is_verified(jws, key, der, (size_t)len);
    OPENSSL_free(der);
    return good;
}

bool net_jws_rs256(const struct net_jws *jws, EVP_PKEY *key)
{
    return header_says(jws, "RS256") && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA &&
           EVP_PKEY_get_bits(key) >= RSA_BITS_MIN && EVP_PKEY_get_bits(key) <= RSA_BITS_MAX &&
           is_verified(jws, key, jws->signature, jws->signature_len);
}

/* --- creating --- */

/* Converts OpenSSL's DER to the JOSE format. */
static bool write_raw(const unsigned char *der, size_t len, uint8_t raw[ES256_BYTES])
{
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)len);
    bool ok = sig && BN_bn2binpad(ECDSA_SIG_get0_r(sig), raw, ES256_BYTES / 2) == ES256_BYTES / 2 &&
              BN_bn2binpad(ECDSA_SIG_get0_s(sig), raw + ES256_BYTES / 2, ES256_BYTES / 2) == ES256_BYTES / 2;
    ECDSA_SIG_free(sig);
    return ok;
}

static bool sign(EVP_PKEY *key, const char *text, size_t text_len, uint8_t raw[ES256_BYTES])
{
    unsigned char der[2 * ES256_BYTES];
    size_t len = sizeof(der);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool ok = ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
              EVP_DigestSign(ctx, der, &len, (const unsigned char *)text, text_len) == 1 &&
              write_raw(der, len, raw);
    EVP_MD_CTX_free(ctx);
    return ok;
}

/* Appends bytes as base64url; false: they do not fit. */
static bool add_part(const void *bytes, size_t len, char *out, size_t cap, size_t *at)
{
    size_t n =
        sodium_base64_ENCODED_LEN(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING); /* including the NUL */
    if (n > cap - *at)
        return false;
    (void)sodium_bin2base64(out + *at, cap - *at, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    *at += n - 1;
    return true;
}

bool net_jws_make_es256(EVP_PKEY *key, const char *header, const char *payload, char *out, size_t cap)
{
    uint8_t raw[ES256_BYTES];
    size_t at = 0;
    if (!add_part(header, strlen(header), out, cap, &at) || cap - at < 2)
        return false;
    out[at++] = '.';
    if (!add_part(payload, strlen(payload), out, cap, &at) || cap - at < 2 || !sign(key, out, at, raw))
        return false;
    out[at++] = '.';
    return add_part(raw, sizeof(raw), out, cap, &at);
}
