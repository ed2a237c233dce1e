/* Secrets that are needed in plain text and stored encrypted; see token.h. */
#include "api/core/token.h"

#include "base/bug.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#define NONCE_LEN crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
#define TAG_LEN crypto_aead_xchacha20poly1305_ietf_ABYTES

static_assert(API_TOKEN_SEAL_MORE == NONCE_LEN + TAG_LEN, "what sealing adds");
static_assert(sizeof(((struct api_token_key *)0)->seal) == crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
              "a key of XChaCha20-Poly1305");

void api_token_seal(const struct api_token_keys *keys, const char *bound, const uint8_t *plain, size_t len,
                    uint8_t *out)
{
    ASSERT(keys->n > 0 && len > 0 && bound[0] != '\0');
    unsigned long long sealed = 0;
    randombytes_buf(out, NONCE_LEN); /* 192 bits, so that collisions do not occur */
    crypto_aead_xchacha20poly1305_ietf_encrypt(out + NONCE_LEN, &sealed, plain, len,
                                               (const unsigned char *)bound, strlen(bound), NULL, out,
                                               keys->key[0].seal);
    ASSERT(sealed == len + TAG_LEN);
}

bool api_token_unseal(const struct api_token_keys *keys, const char *kid, const char *bound,
                      const uint8_t *sealed, size_t sealed_len, uint8_t *out)
{
    if (sealed_len <= API_TOKEN_SEAL_MORE)
        return false;
    for (size_t i = 0; i < keys->n; i++) {
        unsigned long long len = 0;
        if (strcmp(keys->key[i].kid, kid) == 0 &&
            crypto_aead_xchacha20poly1305_ietf_decrypt(out, &len, NULL, sealed + NONCE_LEN,
                                                       sealed_len - NONCE_LEN, (const unsigned char *)bound,
                                                       strlen(bound), sealed, keys->key[i].seal) == 0)
            return true;
    }
    return false;
}
