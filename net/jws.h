/* Signed texts: a JWS in compact form (RFC 7515) with a JSON object inside, signed by ES256 or RS256; those
 * of ES256 are made here, too. Which key counts is the caller's to know. Pure, any thread. */
#ifndef RUMMYD_NET_JWS_H
#define RUMMYD_NET_JWS_H

#include <jansson.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_JWS_MAX = 64 * 1024,      /* bytes of a text */
    NET_JWS_SIGNATURE_MAX = 1024, /* RSA of 8192 bits */
};

struct net_jws {
    json_t *header, *payload; /* objects without duplicate members */
    const char *text;         /* borrowed; what is signed is its first signed_len bytes */
    size_t signed_len;
    uint8_t signature[NET_JWS_SIGNATURE_MAX];
    size_t signature_len;
};

/* Takes a text apart; nothing is proved by that. false: it is no such text, and *jws needs no freeing. */
bool net_jws_split(const char *text, struct net_jws *jws);
void net_jws_free(struct net_jws *jws);

/* Whether it is signed by this key, and the header says so: "alg" is the algorithm, there is no "crit", and
 * the key is one for it (P-256; RSA of 2048 to 8192 bits). */
bool net_jws_es256(const struct net_jws *jws, EVP_PKEY *key);
bool net_jws_rs256(const struct net_jws *jws, EVP_PKEY *key);

/* Makes one, signed by a key on P-256: header and payload are JSON. false: the key is none, no memory, or it
 * does not fit. */
bool net_jws_make_es256(EVP_PKEY *key, const char *header, const char *payload, char *out, size_t cap);

#endif
