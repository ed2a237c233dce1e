/* Secrets and signatures of outgoing webhooks; see webhook_secret.h. */
#include "api/admin/webhook_secret.h"

#include "base/bug.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "whsec_"
#define VERSION "v1,"

void api_webhook_secret_make(const struct api_token_keys *keys, uint8_t sealed[API_WEBHOOK_SEALED_LEN])
{
    uint8_t secret[API_WEBHOOK_SECRET_LEN];
    randombytes_buf(secret, sizeof(secret));
    api_token_seal(keys, API_WEBHOOK_BOUND, secret, sizeof(secret), sealed);
    sodium_memzero(secret, sizeof(secret));
}

bool api_webhook_secret_open(const struct api_token_keys *keys, const char *kid, const char *sealed_hex,
                             uint8_t secret[API_WEBHOOK_SECRET_LEN])
{
    uint8_t sealed[API_WEBHOOK_SEALED_LEN];
    size_t len = 0;
    return sodium_hex2bin(sealed, sizeof(sealed), sealed_hex, strlen(sealed_hex), NULL, &len, NULL) == 0 &&
           len == sizeof(sealed) &&
           api_token_unseal(keys, kid, API_WEBHOOK_BOUND, sealed, sizeof(sealed), secret);
}

void api_webhook_secret_text(const uint8_t secret[API_WEBHOOK_SECRET_LEN], char out[API_WEBHOOK_SECRET_MAX])
{
    static_assert(sizeof(PREFIX) + (API_WEBHOOK_SECRET_LEN + 2) / 3 * 4 <= API_WEBHOOK_SECRET_MAX, "it fits");
    memcpy(out, PREFIX, sizeof(PREFIX));
    (void)sodium_bin2base64(out + sizeof(PREFIX) - 1, API_WEBHOOK_SECRET_MAX - sizeof(PREFIX) + 1, secret,
                            API_WEBHOOK_SECRET_LEN, sodium_base64_VARIANT_ORIGINAL);
}

void api_webhook_sign(const uint8_t *secret, size_t secret_len, const char *id, int64_t time_s,
                      const char *body, char out[API_WEBHOOK_SIGNATURE_MAX])
{
    crypto_auth_hmacsha256_state state;
    uint8_t mac[crypto_auth_hmacsha256_BYTES];
    char time[24];
    int len = snprintf(time, sizeof(time), ".%lld.", (long long)time_s);
    ASSERT(secret_len > 0 && !strchr(id, '.'));
    (void)crypto_auth_hmacsha256_init(&state, secret, secret_len);
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)id, strlen(id));
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)time, (unsigned long long)len);
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)body, strlen(body));
    (void)crypto_auth_hmacsha256_final(&state, mac);
    memcpy(out, VERSION, sizeof(VERSION));
    (void)sodium_bin2base64(out + sizeof(VERSION) - 1, API_WEBHOOK_SIGNATURE_MAX - sizeof(VERSION) + 1, mac,
                            sizeof(mac), sodium_base64_VARIANT_ORIGINAL);
    sodium_memzero(&state, sizeof(state));
}
