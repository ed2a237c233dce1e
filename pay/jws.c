/* Signed texts of app stores; see jws.h. */
#include "pay/jws.h"

#include "base/text.h"
#include "pay/read.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#define CHAIN_N 3                                    /* leaf, intermediate, root: no more and no less */
#define CERT_BYTES_MAX 8192                          /* of one certificate */
#define SIGNATURE_BYTES 64                           /* r and s of P-256 */
#define LEAF_MARK "1.2.840.113635.100.6.11.1"        /* Apple: signs receipts of the App Store */
#define INTERMEDIATE_MARK "1.2.840.113635.100.6.2.1" /* Apple: Worldwide Developer Relations */

struct pay_root {
    X509 *cert;
    X509_STORE *store;
};

struct pay_root *pay_root_new(const char *bytes, size_t len)
{
    struct pay_root *root = calloc(1, sizeof(*root));
    BIO *bio = root ? BIO_new_mem_buf(bytes, (int)len) : NULL;
    const unsigned char *der = (const unsigned char *)bytes;
    if (bio)
        root->cert = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    if (bio && !root->cert)
        root->cert = d2i_X509(NULL, &der, (long)len);
    if (root)
        root->store = X509_STORE_new();
    bool good = bio && root->cert && root->store && X509_check_ca(root->cert) &&
                X509_STORE_add_cert(root->store, root->cert) == 1;
    BIO_free(bio);
    if (good)
        return root;
    pay_root_free(root);
    return NULL;
}

void pay_root_free(struct pay_root *root)
{
    if (!root)
        return;
    X509_free(root->cert);
    X509_STORE_free(root->store);
    free(root);
}

/* --- the chain --- */

/* x5c: base64 (not base64url) of DER. NULL: it is no certificate. */
static X509 *read_cert(const json_t *value)
{
    unsigned char der[CERT_BYTES_MAX];
    const char *text = json_string_value(value);
    size_t len = text ? strlen(text) : 0;
    if (len == 0 || len % 4 != 0 || len / 4 * 3 > sizeof(der))
        return NULL;
    int n = EVP_DecodeBlock(der, (const unsigned char *)text, (int)len);
    if (n < 3)
        return NULL;
    n -= (text[len - 1] == '=') + (text[len - 2] == '=');
    const unsigned char *at = der;
    X509 *cert = d2i_X509(NULL, &at, n);
    if (cert && at != der + n) {
        X509_free(cert);
        cert = NULL;
    }
    return cert;
}

static bool is_marked(const X509 *cert, const char *mark)
{
    ASN1_OBJECT *object = OBJ_txt2obj(mark, 1);
    bool marked = object && cert && X509_get_ext_by_OBJ(cert, object, -1) >= 0;
    ASN1_OBJECT_free(object);
    return marked;
}

static bool chain_holds(const struct pay_root *root, X509 *leaf, X509 *between, int64_t at_s)
{
    STACK_OF(X509) *others = sk_X509_new_null();
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    bool good = others && ctx && sk_X509_push(others, between) > 0 &&
                X509_STORE_CTX_init(ctx, root->store, leaf, others) == 1;
    if (good) {
        X509_VERIFY_PARAM_set_time(X509_STORE_CTX_get0_param(ctx), (time_t)at_s);
        good = X509_verify_cert(ctx) == 1;
    }
    const STACK_OF(X509) *chain = good ? X509_STORE_CTX_get0_chain(ctx) : NULL;
    good = chain && sk_X509_num(chain) == CHAIN_N && X509_cmp(sk_X509_value(chain, 2), root->cert) == 0 &&
           is_marked(sk_X509_value(chain, 0), LEAF_MARK) &&
           is_marked(sk_X509_value(chain, 1), INTERMEDIATE_MARK);
    X509_STORE_CTX_free(ctx);
    sk_X509_free(others);
    return good;
}

/* The key of the leaf, once the chain holds; NULL: it does not. */
static EVP_PKEY *find_key(const struct pay_root *root, const json_t *header, int64_t at_s)
{
    const json_t *x5c = json_object_get(header, "x5c");
    if (!pay_read_is(header, "alg", "ES256") || json_array_size(x5c) != CHAIN_N)
        return NULL;
    X509 *leaf = read_cert(json_array_get(x5c, 0)), *between = read_cert(json_array_get(x5c, 1));
    EVP_PKEY *key = leaf && between && chain_holds(root, leaf, between, at_s) ? X509_get_pubkey(leaf) : NULL;
    X509_free(leaf);
    X509_free(between);
    char group[32] = "";
    if (key &&
        (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC ||
         EVP_PKEY_get_group_name(key, group, sizeof(group), NULL) != 1 || strcmp(group, "prime256v1") != 0)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    return key;
}

/* --- the signature --- */

/* JOSE writes r and s behind each other, OpenSSL wants them in DER. Returns the bytes of *der, 0: failed. */
static int write_der(const uint8_t raw[SIGNATURE_BYTES], unsigned char **der)
{
    ECDSA_SIG *sig = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, SIGNATURE_BYTES / 2, NULL);
    BIGNUM *s = BN_bin2bn(raw + SIGNATURE_BYTES / 2, SIGNATURE_BYTES / 2, NULL);
    int len = 0;
    *der = NULL;
    if (sig && r && s && ECDSA_SIG_set0(sig, r, s) == 1) {
        r = s = NULL; /* they are the signature's now */
        len = i2d_ECDSA_SIG(sig, der);
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(sig);
    return len > 0 ? len : 0;
}

static bool is_signed(EVP_PKEY *key, const char *text, size_t len, const char *signature)
{
    uint8_t raw[SIGNATURE_BYTES];
    unsigned char *der = NULL;
    if (text_unb64url(raw, sizeof(raw), signature, strlen(signature)) != SIGNATURE_BYTES)
        return false;
    int der_len = write_der(raw, &der);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good = der_len > 0 && ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
                EVP_DigestVerify(ctx, der, (size_t)der_len, (const unsigned char *)text, len) == 1;
    EVP_MD_CTX_free(ctx);
    OPENSSL_free(der);
    return good;
}

/* --- the text --- */

static json_t *read_part(const char *text, size_t len)
{
    uint8_t *bytes = malloc(len + 1);
    int n = bytes ? text_unb64url(bytes, len + 1, text, len) : -1;
    json_t *object = n > 0 ? pay_read_object((const char *)bytes, (size_t)n) : NULL;
    free(bytes);
    return object;
}

json_t *pay_jws_read(const struct pay_root *root, const char *text)
{
    const char *first = strlen(text) < PAY_JWS_MAX ? strchr(text, '.') : NULL;
    const char *second = first ? strchr(first + 1, '.') : NULL;
    if (!second)
        return NULL;
    json_t *header = read_part(text, (size_t)(first - text));
    json_t *payload = read_part(first + 1, (size_t)(second - first - 1));
    int64_t at_s = json_integer_value(json_object_get(payload, "signedDate")) / 1000;
    bool timely = at_s > 0 && at_s <= PAY_TIME_S_MAX;
    EVP_PKEY *key = header && payload && timely ? find_key(root, header, at_s) : NULL;
    bool good = key && is_signed(key, text, (size_t)(second - text), second + 1);
    EVP_PKEY_free(key);
    json_decref(header);
    if (!good) {
        json_decref(payload);
        payload = NULL;
    }
    return payload;
}
