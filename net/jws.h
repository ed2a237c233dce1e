/* JSON Web Signatures in compact form (RFC 7515) with a JSON object as payload, signed with ES256 or RS256.
 * ES256 signatures can also be created. The caller decides which keys to trust. Pure, any thread. */
#ifndef RUMMYD_NET_JWS_H
#define RUMMYD_NET_JWS_H

#include <jansson.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_JWS_MAX = 64 * 1024,      /* bytes of a JWS in text form */
    NET_JWS_SIGNATURE_MAX = 1024, /* RSA with 8192 bits */
};

struct net_jws {
    json_t *header, *payload; /* objects, without duplicate members */
    const char *text;         /* borrowed; its first signed_len bytes are the signed part */
    size_t signed_len;
    uint8_t signature[NET_JWS_SIGNATURE_MAX];
    size_t signature_len;
};

/* Splits a text, without verifying anything. false: malformed, and *jws needs no freeing. */
bool net_jws_split(const char *text, struct net_jws *jws);
void net_jws_free(struct net_jws *jws);

/* Whether it is signed with this key and the header agrees: "alg" is the algorithm, there is no "crit", and
 * the key is suitable (P-256; RSA with 2048 to 8192 bits). */
bool net_jws_es256(const struct net_jws *jws, EVP_PKEY *key);
bool net_jws_rs256(const struct net_jws *jws, EVP_PKEY *key);

/* Creates a JWS, signed with a P-256 key. header and payload are JSON. false: invalid key, out of memory,
 * or it does not fit. */
bool net_jws_make_es256(EVP_PKEY *key, const char *header, const char *payload, char *out, size_t cap);

#endif
