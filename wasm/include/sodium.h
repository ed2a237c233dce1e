/* The part of libsodium that the engine uses, for WebAssembly, where libsodium is not available. The
 * functions are in wasm/host.c; the two that do the computation come from JavaScript (@noble/hashes). */
#ifndef RUMMYD_WASM_SODIUM_H
#define RUMMYD_WASM_SODIUM_H

#include <stddef.h>

enum { WASM_HMAC_TEXT_MAX = 64 }; /* maximum length of a text hashed in parts; the engine needs 8 */

typedef struct {
    unsigned char key[32];
    unsigned char text[WASM_HMAC_TEXT_MAX];
    size_t n;
} crypto_auth_hmacsha256_state;

int crypto_hash_sha256(unsigned char *out, const unsigned char *in, unsigned long long len);
int crypto_auth_hmacsha256(unsigned char *out, const unsigned char *in, unsigned long long len,
                           const unsigned char *key);
int crypto_auth_hmacsha256_init(crypto_auth_hmacsha256_state *state, const unsigned char *key, size_t len);
int crypto_auth_hmacsha256_update(crypto_auth_hmacsha256_state *state, const unsigned char *in,
                                  unsigned long long len);
int crypto_auth_hmacsha256_final(crypto_auth_hmacsha256_state *state, unsigned char *out);

#endif
