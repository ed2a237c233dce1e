/* Parses and checks providers' responses: the discovery document, the key set, and the ID token. All of
 * them are untrusted input. Pure, any thread. */
#ifndef RUMMYD_OIDC_ANSWERS_H
#define RUMMYD_OIDC_ANSWERS_H

#include "oidc/oidc.h"

enum {
    OIDC_KEYS_MAX = 64,     /* per set */
    OIDC_SKEW_S = 60,       /* allowed clock difference */
    OIDC_TOKEN_AGE_S = 600, /* maximum age of an ID token */
    OIDC_TOKEN_MAX = 16 * 1024,
};

/* --- OpenID Connect Discovery 1.0 --- */

struct oidc_endpoints {
    char authorize[OIDC_URL_MAX], token[OIDC_URL_MAX], keys[OIDC_URL_MAX];
    bool secret_in_form; /* whether the client's secret goes into the form or into Authorization */
    bool names_itself;   /* whether responses have an `iss` (RFC 9207) */
};

bool oidc_discovery_read(const struct oidc_client *oidc, const struct oidc_provider *provider,
                         const char *body, size_t len, struct oidc_endpoints *out, char why[OIDC_WHY_MAX]);

/* --- keys (RFC 7517) --- */

struct oidc_keys;

/* Reads the keys of a set for RS256 or ES256; others are skipped. NULL: not a key set, more than
 * OIDC_KEYS_MAX keys, or none of them usable. */
struct oidc_keys *oidc_keys_read(const char *body, size_t len, char why[OIDC_WHY_MAX]);
void oidc_keys_free(struct oidc_keys *keys);

/* --- the ID token --- */

struct oidc_expected {
    const char *issuer, *client, *nonce;
    int64_t now_s;
};

enum oidc_token_result {
    OIDC_TOKEN_OK,
    OIDC_TOKEN_BAD,
    OIDC_TOKEN_KEY_UNKNOWN, /* signed by a key that is not in the set; there may be a newer set */
};

enum oidc_token_result oidc_token_check(const struct oidc_keys *keys, const struct oidc_expected *expected,
                                        const char *text, struct oidc_person *person, char why[OIDC_WHY_MAX]);

#endif
