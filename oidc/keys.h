/* The keys of a set, for verifying signatures. Pure, any thread. */
#ifndef RUMMYD_OIDC_KEYS_H
#define RUMMYD_OIDC_KEYS_H

#include "oidc/answers.h"

#include <openssl/evp.h>

enum { OIDC_KID_MAX = 257 };

enum oidc_alg { OIDC_RS256, OIDC_ES256 };

struct oidc_key {
    char kid[OIDC_KID_MAX]; /* empty: none */
    enum oidc_alg alg;
    EVP_PKEY *key;
};

struct oidc_keys {
    size_t n;
    struct oidc_key key[OIDC_KEYS_MAX];
};

#endif
