/* What the engine imports from its host: a handler for bugs, and SHA-256. The JavaScript side is
 * src/module.ts. */
#include <sodium.h>
#include <string.h>

#include "base/bug.h"

#define FROM_HOST(name) __attribute__((import_module("host"), import_name(name)))

/* Throws in JavaScript. The module must not be used again. */
_Noreturn FROM_HOST("bug") void wasm_host_bug(const char *file, int line, const char *text);
FROM_HOST("sha256") void wasm_host_sha256(unsigned char out[32], const unsigned char *in, size_t len);
FROM_HOST("hmac_sha256")
void wasm_host_hmac(unsigned char out[32], const unsigned char key[32], const unsigned char *in, size_t len);

_Noreturn void base_bug(const char *file, int line, const char *text)
{
    wasm_host_bug(file, line, text);
}

int crypto_hash_sha256(unsigned char *out, const unsigned char *in, unsigned long long len)
{
    wasm_host_sha256(out, in, (size_t)len);
    return 0;
}

int crypto_auth_hmacsha256(unsigned char *out, const unsigned char *in, unsigned long long len,
                           const unsigned char *key)
{
    wasm_host_hmac(out, key, in, (size_t)len);
    return 0;
}

int crypto_auth_hmacsha256_init(crypto_auth_hmacsha256_state *state, const unsigned char *key, size_t len)
{
    ASSERT(len == sizeof state->key);
    memcpy(state->key, key, len);
    state->n = 0;
    return 0;
}

int crypto_auth_hmacsha256_update(crypto_auth_hmacsha256_state *state, const unsigned char *in,
                                  unsigned long long len)
{
    ASSERT(len <= sizeof state->text - state->n);
    memcpy(state->text + state->n, in, (size_t)len);
    state->n += (size_t)len;
    return 0;
}

int crypto_auth_hmacsha256_final(crypto_auth_hmacsha256_state *state, unsigned char *out)
{
    ASSERT(state->n <= sizeof state->text);
    wasm_host_hmac(out, state->key, state->text, state->n);
    return 0;
}
