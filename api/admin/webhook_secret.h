/* Secrets of outgoing webhooks and their signatures, as defined by Standard Webhooks 1.0. Pure except for
 * random bytes, any thread. */
#ifndef RUMMYD_API_WEBHOOK_SECRET_H
#define RUMMYD_API_WEBHOOK_SECRET_H

#include "api/core/token.h"

#define API_WEBHOOK_SECRET_LEN 32
#define API_WEBHOOK_SEALED_LEN (API_WEBHOOK_SECRET_LEN + API_TOKEN_SEAL_MORE)
#define API_WEBHOOK_SECRET_MAX 52    /* bytes of a secret as text, including the NUL */
#define API_WEBHOOK_SIGNATURE_MAX 49 /* bytes of a signature as text, including the NUL */
#define API_WEBHOOK_BOUND "webhook"  /* the purpose for which a secret is sealed */

/* Makes an encrypted secret. */
void api_webhook_secret_make(const struct api_token_keys *keys, uint8_t sealed[API_WEBHOOK_SEALED_LEN]);
/* Decrypts a secret given in hexadecimal. false: no configured key opens it. Wipe the secret after use. */
bool api_webhook_secret_open(const struct api_token_keys *keys, const char *kid, const char *sealed_hex,
                             uint8_t secret[API_WEBHOOK_SECRET_LEN]);
/* Writes the form shown to the receiver: whsec_ and base64. */
void api_webhook_secret_text(const uint8_t secret[API_WEBHOOK_SECRET_LEN], char out[API_WEBHOOK_SECRET_MAX]);

/* Writes the signature of a message, "v1,…": HMAC-SHA-256 of its id, the time in seconds, and the body,
 * separated by periods. */
void api_webhook_sign(const uint8_t *secret, size_t secret_len, const char *id, int64_t time_s,
                      const char *body, char out[API_WEBHOOK_SIGNATURE_MAX]);

#endif
