/* Sign-in with OpenID Connect 1.0 (authorization code flow with PKCE) at the providers listed in the
 * operator's file. A provider's endpoints come from its discovery document, and its keys from the key set
 * named there; both are cached.
 *
 * The cache is the only state here (no rows, no cookies); the caller keeps the state of a sign-in.
 * oidc_authorize and oidc_finish block on the network, so call them on a worker. Other functions: any
 * thread. */
#ifndef RUMMYD_OIDC_OIDC_H
#define RUMMYD_OIDC_OIDC_H

#include "net/fetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OIDC_PROVIDERS_MAX = 8,
    OIDC_REDIRECTS_MAX = 16,
    /* Bytes, including the NUL. */
    OIDC_ID_MAX = 33,
    OIDC_NAME_MAX = 41,
    OIDC_URL_MAX = 512,
    OIDC_ISSUER_MAX = 200, /* the issuers of all providers are arguments of one statement */
    OIDC_CLIENT_MAX = 257,
    OIDC_SECRET_MAX = 2049, /* Apple's is a JWT */
    OIDC_SCOPES_MAX = 129,
    OIDC_SUBJECT_MAX = 256, /* OpenID Connect Core, 2 */
    OIDC_EMAIL_MAX = 255,
    OIDC_CODE_MAX = 2049,
    OIDC_AUTHORIZE_MAX = 4096,
    OIDC_WHY_MAX = NET_WHY_MAX,
};

struct oidc_provider {
#define OIDC_MEMBER(name, min, cap, ...) char name[cap];
#include "oidc/provider.def"
    char secret[OIDC_SECRET_MAX]; /* from client_secret_file; empty: a public client */
};

struct oidc_caches;

/* Constant after startup, except for the contents of `caches`. */
struct oidc_client {
    struct net_client net;
    bool plain_ok; /* http:// is allowed, for tests and development */
    struct oidc_provider provider[OIDC_PROVIDERS_MAX];
    size_t providers_n;
    /* URIs to which providers may redirect users; [0]: our page. */
    char redirect[OIDC_REDIRECTS_MAX][OIDC_URL_MAX];
    size_t redirects_n;
    struct oidc_caches *caches;
};

/* --- the operator's file (config.c) --- */

/* Adds the providers and redirect URIs of a JSON file: {"providers": [object …], "redirect_uris"?: [text
 * …]}; provider.def lists the members of the objects. The caller reads the secrets. false: why describes
 * the error; *oidc must not be used. */
bool oidc_config_read(struct oidc_client *oidc, const char *text, size_t len, char why[OIDC_WHY_MAX]);
/* Whether a text is an https URL or, if allowed, an http URL. */
bool oidc_url_ok(const struct oidc_client *oidc, const char *text);

/* false: out of memory. */
bool oidc_start(struct oidc_client *oidc);
void oidc_free(struct oidc_client *oidc);

/* NULL: none. */
const struct oidc_provider *oidc_find(const struct oidc_client *oidc, const char *id);
const struct oidc_provider *oidc_find_issuer(const struct oidc_client *oidc, const char *issuer);
bool oidc_redirect_ok(const struct oidc_client *oidc, const char *uri);

/* --- a sign-in --- */

enum oidc_outcome {
    OIDC_OK,
    OIDC_UNAVAILABLE, /* the provider does not respond, responds incorrectly, or does not recognize our client
                       */
    OIDC_REFUSED,     /* the response does not prove an identity */
};

/* Values that are sent with a user to the provider. */
struct oidc_sent {
    const char *redirect_uri;
    const char *state, *nonce;
    const char *verifier; /* for PKCE; only its hash is sent */
};

/* The provider's URL to which to send the user. why: for the log, unless OIDC_OK. */
enum oidc_outcome oidc_authorize(const struct oidc_client *oidc, const struct oidc_provider *provider,
                                 const struct oidc_sent *sent, char url[OIDC_AUTHORIZE_MAX],
                                 char why[OIDC_WHY_MAX]);

/* Values that the user returned with. */
struct oidc_back {
    const char *code;
    const char *iss; /* RFC 9207; NULL: missing */
};

struct oidc_person {
    char subject[OIDC_SUBJECT_MAX];
    char email[OIDC_EMAIL_MAX]; /* empty unless verified by the provider */
};

/* Exchanges a code for the identity. A code is valid only once, so this is never retried. */
enum oidc_outcome oidc_finish(const struct oidc_client *oidc, const struct oidc_provider *provider,
                              const struct oidc_sent *sent, const struct oidc_back *back,
                              struct oidc_person *person, char why[OIDC_WHY_MAX]);

#endif
