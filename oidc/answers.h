/* What providers answer, read and checked: the discovery document, the set of keys, the ID token. Whoever
 * stands between may have written any of it. Pure, any thread. */
#ifndef RUMMYD_OIDC_ANSWERS_H
#define RUMMYD_OIDC_ANSWERS_H

#include "oidc/oidc.h"

enum {
    OIDC_KEYS_MAX = 64,     /* of one set */
    OIDC_SKEW_S = 60,       /* clocks may differ by so much */
    OIDC_TOKEN_AGE_S = 600, /* an ID token was made so lately */
    OIDC_TOKEN_MAX = 16 * 1024,
};

/* --- OpenID Connect Discovery 1.0 --- */

struct oidc_endpoints {
    char authorize[OIDC_URL_MAX], token[OIDC_URL_MAX], keys[OIDC_URL_MAX];
    bool secret_in_form; /* the client's secret goes into the form; else into Authorization */
    bool names_itself;   /* answers bear an `iss` (RFC 9207) */
};

bool oidc_discovery_read(const struct oidc_client *oidc, const struct oidc_provider *provider,
                         const char *body, size_t len, struct oidc_endpoints *out, char why[OIDC_WHY_MAX]);

/* --- keys (RFC 7517) --- */

struct oidc_keys;

/* Those of a set that sign by RS256 or ES256; the rest is passed over. NULL: it is no set of keys, or has
 * more than OIDC_KEYS_MAX, or none of use. */
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
    OIDC_TOKEN_KEY_UNKNOWN, /* signed by a key that is not in the set: there may be a newer set */
};

enum oidc_token_result oidc_token_check(const struct oidc_keys *keys, const struct oidc_expected *expected,
                                        const char *text, struct oidc_person *person, char why[OIDC_WHY_MAX]);

#endif
