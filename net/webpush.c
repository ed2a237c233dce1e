/* Web Push; see webpush.h. HKDF (RFC 5869) consists of two HMACs here, because no output is longer than a
 * hash. */
#include "net/webpush.h"

#include "base/buf.h"
#include "base/bug.h"
#include "base/url.h"
#include "net/jws.h"

#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define CURVE "prime256v1"
#define RECORD 4096 /* bytes of a record; each message is one record */
#define PROOF_S 43200
#define HASH crypto_auth_hmacsha256_BYTES
#define TAG 16

/* --- keys --- */

static EVP_PKEY *key_of_point(const uint8_t point[NET_WEBPUSH_POINT])
{
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (build && ctx && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, CURVE, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, NET_WEBPUSH_POINT) == 1)
        params = OSSL_PARAM_BLD_to_param(build);
    if (!params || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    return key;
}

bool net_webpush_point_ok(const uint8_t point[NET_WEBPUSH_POINT])
{
    EVP_PKEY *key = point[0] == 4 ? key_of_point(point) : NULL;
    EVP_PKEY_free(key);
    return key != NULL;
}

static bool point_of_key(EVP_PKEY *key, uint8_t point[NET_WEBPUSH_POINT])
{
    size_t len = 0;
    return EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, point, NET_WEBPUSH_POINT,
                                           &len) == 1 &&
           len == NET_WEBPUSH_POINT && point[0] == 4;
}

EVP_PKEY *net_webpush_key_read(const char *pem, size_t len)
{
    char group[32] = "";
    BIO *bio = BIO_new_mem_buf(pem, (int)len);
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, NULL, "") : NULL;
    BIO_free(bio);
    if (key && (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC ||
                EVP_PKEY_get_group_name(key, group, sizeof(group), NULL) != 1 || strcmp(group, CURVE) != 0)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    return key;
}

bool net_webpush_key_public(EVP_PKEY *key, char out[NET_WEBPUSH_KEY_MAX])
{
    uint8_t point[NET_WEBPUSH_POINT];
    return point_of_key(key, point) && sodium_bin2base64(out, NET_WEBPUSH_KEY_MAX, point, sizeof(point),
                                                         sodium_base64_VARIANT_URLSAFE_NO_PADDING) != NULL;
}

/* --- encryption --- */

static bool agree(EVP_PKEY *own, EVP_PKEY *theirs, uint8_t secret[HASH])
{
    size_t len = HASH;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(own, NULL);
    bool ok = ctx && EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, theirs) == 1 &&
              EVP_PKEY_derive(ctx, secret, &len) == 1 && len == HASH;
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* HMAC-SHA-256 of two concatenated texts. */
static void mac(const uint8_t *key, size_t key_len, const void *a, size_t a_len, const void *b, size_t b_len,
                uint8_t out[HASH])
{
    crypto_auth_hmacsha256_state state;
    (void)crypto_auth_hmacsha256_init(&state, key, key_len);
    (void)crypto_auth_hmacsha256_update(&state, a, a_len);
    (void)crypto_auth_hmacsha256_update(&state, b, b_len);
    (void)crypto_auth_hmacsha256_final(&state, out);
    sodium_memzero(&state, sizeof(state));
}

/* The last step of HKDF, limited to its first block. */
static void expand(const uint8_t key[HASH], const void *info, size_t len, uint8_t out[HASH])
{
    static const uint8_t one = 1;
    mac(key, HASH, info, len, &one, 1, out);
}

/* Key and nonce of the record (RFC 8291, 3.4; RFC 8188, 2.2). */
static void derive(const uint8_t secret[HASH], const uint8_t salt[NET_WEBPUSH_SALT], const uint8_t *auth,
                   const uint8_t *theirs, const uint8_t *own, uint8_t key[HASH], uint8_t nonce[HASH])
{
    static const char key_info[] = "Content-Encoding: aes128gcm", nonce_info[] = "Content-Encoding: nonce";
    static const char start[] = "WebPush: info";
    uint8_t info[sizeof(start) + 2 * NET_WEBPUSH_POINT], prk[HASH], ikm[HASH];
    memcpy(info, start, sizeof(start)); /* including its NUL */
    memcpy(info + sizeof(start), theirs, NET_WEBPUSH_POINT);
    memcpy(info + sizeof(start) + NET_WEBPUSH_POINT, own, NET_WEBPUSH_POINT);
    mac(auth, NET_WEBPUSH_AUTH, secret, HASH, "", 0, prk);
    expand(prk, info, sizeof(info), ikm);
    mac(salt, NET_WEBPUSH_SALT, ikm, HASH, "", 0, prk);
    expand(prk, key_info, sizeof(key_info), key);
    expand(prk, nonce_info, sizeof(nonce_info), nonce);
    sodium_memzero(prk, sizeof(prk));
    sodium_memzero(ikm, sizeof(ikm));
}

static bool seal(const uint8_t *key, const uint8_t *nonce, const char *plain, size_t len, uint8_t *out)
{
    static const uint8_t last = 2; /* the only and last record */
    int n = 0;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    bool ok = ctx && EVP_EncryptInit_ex(ctx, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
              EVP_EncryptUpdate(ctx, out, &n, (const unsigned char *)plain, (int)len) == 1 && n == (int)len &&
              EVP_EncryptUpdate(ctx, out + len, &n, &last, 1) == 1 && n == 1 &&
              EVP_EncryptFinal_ex(ctx, out + len + 1, &n) == 1 &&
              EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, TAG, out + len + 1) == 1;
    EVP_CIPHER_CTX_free(ctx);
    return ok;
}

size_t net_webpush_encrypt_with(EVP_PKEY *sender, const uint8_t salt[NET_WEBPUSH_SALT],
                                const uint8_t point[NET_WEBPUSH_POINT], const uint8_t auth[NET_WEBPUSH_AUTH],
                                const char *plain, size_t len, uint8_t out[NET_WEBPUSH_MAX])
{
    static const uint8_t record[] = {0, 0, RECORD >> 8, RECORD & 0xFF, NET_WEBPUSH_POINT};
    uint8_t secret[HASH], key[HASH], nonce[HASH];
    uint8_t *own = out + NET_WEBPUSH_SALT + sizeof(record);
    ASSERT(len <= NET_WEBPUSH_PLAIN_MAX);
    EVP_PKEY *theirs = key_of_point(point);
    memcpy(out, salt, NET_WEBPUSH_SALT);
    memcpy(out + NET_WEBPUSH_SALT, record, sizeof(record));
    bool ok = theirs && point_of_key(sender, own) && agree(sender, theirs, secret);
    if (ok) {
        derive(secret, salt, auth, point, own, key, nonce);
        ok = seal(key, nonce, plain, len, own + NET_WEBPUSH_POINT);
    }
    sodium_memzero(secret, sizeof(secret));
    sodium_memzero(key, sizeof(key));
    EVP_PKEY_free(theirs);
    return ok ? len + NET_WEBPUSH_MORE : 0;
}

size_t net_webpush_encrypt(const uint8_t point[NET_WEBPUSH_POINT], const uint8_t auth[NET_WEBPUSH_AUTH],
                           const char *plain, size_t len, uint8_t out[NET_WEBPUSH_MAX])
{
    uint8_t salt[NET_WEBPUSH_SALT];
    randombytes_buf(salt, sizeof(salt));
    EVP_PKEY *sender = EVP_EC_gen(CURVE);
    size_t n = sender ? net_webpush_encrypt_with(sender, salt, point, auth, plain, len, out) : 0;
    EVP_PKEY_free(sender);
    return n;
}

/* --- sender identification --- */

bool net_webpush_proof(EVP_PKEY *key, const char *url, const char *contact, int64_t now_s,
                       char out[NET_WEBPUSH_PROOF_MAX])
{
    char memory[512], public[NET_WEBPUSH_KEY_MAX], token[NET_WEBPUSH_PROOF_MAX], origin[256];
    struct buf claims = buf_on(memory, sizeof(memory) - 1);
    struct url parts;
    if (url_read(url, &parts) || parts.origin >= sizeof(origin) || !net_webpush_key_public(key, public))
        return false;
    (void)snprintf(origin, sizeof(origin), "%.*s", (int)parts.origin, url);
    json_open(&claims, '{');
    json_kv_text(&claims, "aud", origin);
    json_kv_num(&claims, "exp", now_s + PROOF_S);
    json_kv_text(&claims, "sub", contact);
    json_close(&claims, '}');
    memory[claims.len] = '\0';
    if (claims.full ||
        !net_jws_make_es256(key, "{\"typ\":\"JWT\",\"alg\":\"ES256\"}", memory, token, sizeof(token)))
        return false;
    int n = snprintf(out, NET_WEBPUSH_PROOF_MAX, "Authorization: vapid t=%s, k=%s", token, public);
    return n > 0 && n < NET_WEBPUSH_PROOF_MAX;
}
