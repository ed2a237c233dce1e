/* Keys, key sets, and ID tokens for tests. OpenSSL, jansson, and libsodium create them, not the code under
 * test, so that an error in that code cannot cancel itself out. */
#ifndef RUMMYD_TESTS_OIDC_SIGNER_H
#define RUMMYD_TESTS_OIDC_SIGNER_H

#include <jansson.h>
#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

struct signer {
    EVP_PKEY *key;
    const char *alg, *kid;
};

struct signer signer_rsa(unsigned bits, const char *kid);
struct signer signer_ec(const char *curve, const char *kid);
/* The public key as a JWK. The caller releases it. */
json_t *signer_jwk(const struct signer *signer);
/* {"keys": […]} of n signers, as text. The caller frees it. */
char *signer_set(const struct signer *signers, size_t n);

/* header.payload.signature; the bytes are used unchanged. The caller frees it. */
char *signer_token(const struct signer *signer, const char *header, const char *payload);
/* The same, with a signature made by the caller. */
char *token_of(const char *header, const char *payload, const uint8_t *signature, size_t len);
/* base64url without padding. The caller frees it. */
char *b64url_of(const void *bytes, size_t len);

/* The JSON object `usual` with its members replaced by those of `changes`; null removes a member. Returns
 * text, which the caller frees. */
char *json_changed(const char *usual, const char *changes);

#endif
