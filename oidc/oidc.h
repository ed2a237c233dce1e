/* Signing in with OpenID Connect 1.0 (authorization code flow with PKCE) at providers that a file of the
 * operator names. A provider is found by its discovery document, its keys by the set that names; both are
 * kept for a while. What is kept here and nowhere else: no row, no cookie; what belongs to one sign-in the
 * caller keeps.
 *
 * oidc_authorize and oidc_finish wait for the network: on a worker. The rest: any thread. */
#ifndef RUMMYD_OIDC_OIDC_H
#define RUMMYD_OIDC_OIDC_H

#include "net/fetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OIDC_PROVIDERS_MAX = 8,
    OIDC_REDIRECTS_MAX = 16,
    /* Bytes, with the NUL. */
    OIDC_ID_MAX = 33,
    OIDC_NAME_MAX = 41,
    OIDC_URL_MAX = 512,
    OIDC_ISSUER_MAX = 200, /* those of all providers are arguments of one statement */
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
    char id[OIDC_ID_MAX];         /* in our addresses: a-z, digits, '-' and '_' */
    char name[OIDC_NAME_MAX];     /* as players read it */
    char issuer[OIDC_ISSUER_MAX]; /* exactly as it names itself */
    char client[OIDC_CLIENT_MAX];
    char secret_file[OIDC_URL_MAX]; /* empty: a public client */
    char secret[OIDC_SECRET_MAX];
    char scopes[OIDC_SCOPES_MAX];
};

struct oidc_caches;

/* Constant after the start, but for what `caches` keeps. */
struct oidc_client {
    struct net_client net;
    bool plain_ok; /* http:// is good enough, for tests and the desk */
    struct oidc_provider provider[OIDC_PROVIDERS_MAX];
    size_t providers_n;
    char redirect[OIDC_REDIRECTS_MAX]
                 [OIDC_URL_MAX]; /* where providers may send people back to; [0]: our page */
    size_t redirects_n;
    struct oidc_caches *caches;
};

/* --- the operator's file (config.c) --- */

/* Adds the providers and redirects of a file, JSON: {"providers": [{"id", "name", "issuer", "client_id",
 * "client_secret_file"?, "scopes"?} …], "redirect_uris"?: [text …]}. The secrets are for the caller to read.
 * false: why names what is wrong; *oidc must not be used. */
bool oidc_config_read(struct oidc_client *oidc, const char *text, size_t len, char why[OIDC_WHY_MAX]);
/* Whether a text is an https address, or an http one where that is good enough. */
bool oidc_url_ok(const struct oidc_client *oidc, const char *url);

/* false: out of memory. */
bool oidc_start(struct oidc_client *oidc);
void oidc_free(struct oidc_client *oidc);

/* NULL: there is none. */
const struct oidc_provider *oidc_find(const struct oidc_client *oidc, const char *id);
const struct oidc_provider *oidc_find_issuer(const struct oidc_client *oidc, const char *issuer);
bool oidc_redirect_ok(const struct oidc_client *oidc, const char *uri);

/* --- a sign-in --- */

enum oidc_outcome {
    OIDC_OK,
    OIDC_UNAVAILABLE, /* the provider does not answer, or nothing that makes sense; or our client is not known
                       */
    OIDC_REFUSED,     /* what came back proves nobody */
};

/* What goes with somebody to the provider. */
struct oidc_sent {
    const char *redirect_uri;
    const char *state, *nonce;
    const char *verifier; /* of PKCE: its hash goes */
};

/* The address at the provider to send somebody to. why: for the log, on anything but OIDC_OK. */
enum oidc_outcome oidc_authorize(const struct oidc_client *oidc, const struct oidc_provider *provider,
                                 const struct oidc_sent *sent, char url[OIDC_AUTHORIZE_MAX],
                                 char why[OIDC_WHY_MAX]);

/* What they came back with. */
struct oidc_back {
    const char *code;
    const char *iss; /* RFC 9207; NULL: it was not there */
};

struct oidc_person {
    char subject[OIDC_SUBJECT_MAX];
    char email[OIDC_EMAIL_MAX]; /* verified by the provider; else empty */
};

/* Changes a code into who it is. A code is good once: this is never repeated. */
enum oidc_outcome oidc_finish(const struct oidc_client *oidc, const struct oidc_provider *provider,
                              const struct oidc_sent *sent, const struct oidc_back *back,
                              struct oidc_person *person, char why[OIDC_WHY_MAX]);

#endif
