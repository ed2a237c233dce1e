/* Service accounts of Google; see google_account.h. */
#include "net/google_account.h"

#include "base/buf.h"
#include "base/text.h"
#include "net/read.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

#define ASSERTION_S 600 /* lifetime of an assertion */
#define ASSERTION_MAX NET_GOOGLE_ASSERTION_MAX
#define SIGNATURE_MAX 1024 /* bytes: RSA with 8192 bits */
#define EMAIL_MAX 256
#define PROJECT_MAX 64

struct net_google_account {
    char email[EMAIL_MAX];
    char project[PROJECT_MAX];
    EVP_PKEY *key;
};

struct net_google_account *net_google_account_new(const char *text, size_t len)
{
    struct net_google_account *account = calloc(1, sizeof(*account));
    if (!account)
        return NULL;
    json_t *root = net_read_object(text, len);
    const char *pem = json_string_value(json_object_get(root, "private_key"));
    BIO *bio = pem ? BIO_new_mem_buf(pem, -1) : NULL;
    if (bio) {
        net_read_text(root, "client_email", account->email, sizeof(account->email));
        net_read_text(root, "project_id", account->project, sizeof(account->project));
        account->key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    }
    bool good = bio && net_read_printed(account->email) && account->key &&
                EVP_PKEY_get_base_id(account->key) == EVP_PKEY_RSA &&
                EVP_PKEY_get_bits(account->key) >= 2048 && EVP_PKEY_get_size(account->key) <= SIGNATURE_MAX;
    BIO_free(bio);
    json_decref(root);
    if (good)
        return account;
    net_google_account_free(account);
    return NULL;
}

void net_google_account_free(struct net_google_account *account)
{
    if (!account)
        return;
    EVP_PKEY_free(account->key);
    free(account);
}

static void write_claims(struct buf *json, const struct net_google_account *account, const char *scope,
                         const char *audience, int64_t now_s)
{
    json_open(json, '{');
    json_kv_text(json, "iss", account->email);
    json_kv_text(json, "scope", scope);
    json_kv_text(json, "aud", audience);
    json_kv_num(json, "iat", now_s);
    json_kv_num(json, "exp", now_s + ASSERTION_S);
    json_close(json, '}');
}

char *net_google_assertion(const struct net_google_account *account, const char *scope, const char *audience,
                           int64_t now_s)
{
    static const char header[] = "{\"alg\":\"RS256\",\"typ\":\"JWT\"}";
    char claims[2048], *out = malloc(ASSERTION_MAX);
    unsigned char signature[SIGNATURE_MAX];
    size_t signature_len = sizeof(signature);
    struct buf json = buf_on(claims, sizeof(claims));
    write_claims(&json, account, scope, audience, now_s);
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

const char *net_google_project(const struct net_google_account *account)
{
    return account->project;
}
