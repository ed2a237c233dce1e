/* JSON Web Signatures of app stores; see jws.h. */
#include "pay/jws.h"

#include "net/jws.h"
#include "net/read.h"
#include "pay/read.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#define CHAIN_N 3                                    /* leaf, intermediate, root: exactly these */
#define CERT_BYTES_MAX 8192                          /* per certificate */
#define LEAF_MARK "1.2.840.113635.100.6.11.1"        /* Apple: signs receipts of the App Store */
#define INTERMEDIATE_MARK "1.2.840.113635.100.6.2.1" /* Apple: Worldwide Developer Relations */

struct pay_root {
    X509 *cert;
    X509_STORE *store;
};

struct pay_root *pay_root_new(const char *bytes, size_t len)
{
    struct pay_root *root = calloc(1, sizeof(*root));
    if (!root)
        return NULL;
    BIO *bio = BIO_new_mem_buf(bytes, (int)len);
    const unsigned char *der = (const unsigned char *)bytes;
    if (bio)
        root->cert = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    if (bio && !root->cert)
        root->cert = d2i_X509(NULL, &der, (long)len);
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

/* Reads a certificate of x5c, which is base64 (not base64url) of DER. NULL: not a certificate. */
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

/* The leaf certificate's key if the chain is valid, otherwise NULL. */
static EVP_PKEY *find_key(const struct pay_root *root, const json_t *header, int64_t at_s)
{
    const json_t *x5c = json_object_get(header, "x5c");
    if (!net_read_is(header, "alg", "ES256") || json_array_size(x5c) != CHAIN_N)
        return NULL;
    X509 *leaf = read_cert(json_array_get(x5c, 0)), *between = read_cert(json_array_get(x5c, 1));
    EVP_PKEY *key = leaf && between && chain_holds(root, leaf, between, at_s) ? X509_get_pubkey(leaf) : NULL;
    X509_free(leaf);
    X509_free(between);
    return key;
}

/* --- the payload --- */

json_t *pay_jws_read(const struct pay_root *root, const char *text)
{
    struct net_jws jws;
    if (!net_jws_split(text, &jws))
        return NULL;
    int64_t at_s = pay_read_ms(jws.payload, "signedDate");
    bool timely = at_s > 0 && at_s <= PAY_TIME_S_MAX;
    EVP_PKEY *key = timely ? find_key(root, jws.header, at_s) : NULL;
    json_t *payload = key && net_jws_es256(&jws, key) ? json_incref(jws.payload) : NULL;
    EVP_PKEY_free(key);
    net_jws_free(&jws);
    return payload;
}
