/* Ways to a provider of OpenID Connect and back, as signing in and linking share them: what a browser or app
 * keeps on the way, and what it comes back with. REST loops; the provider is asked on workers. */
#ifndef RUMMYD_API_OIDC_H
#define RUMMYD_API_OIDC_H

#include "api/request.h"
#include "oidc/oidc.h"

extern const struct api_spec api_oidc_begin_spec;  /* both ways to begin */
extern const struct api_spec api_oidc_finish_spec; /* both ways to finish */
extern const struct db_stmt api_oidc_begin_stmt;   /* do_identity_begin */

/* At request->own of all of them. */
struct api_oidc {
    const struct oidc_provider *provider;
    char redirect_uri[OIDC_URL_MAX];
    enum oidc_outcome outcome;
    char url[OIDC_AUTHORIZE_MAX];
    struct oidc_person person;
    char secret[API_TOKEN_RANDOM_MAX];                             /* new, of who begins */
    enum api_next (*then)(struct api_request *, const PGresult *); /* once it is known who it is */
    char why[OIDC_WHY_MAX];
};

/* Begins a sign-in, or a link to the account of who is signed in: asks the provider for the way there, notes
 * that somebody goes it, and answers. */
enum api_next api_oidc_begin(struct api_request *request);
/* Finishes what api_oidc_begin began, and goes on with `then` once the provider has said who it is. */
enum api_next api_oidc_finish(struct api_request *request,
                              enum api_next (*then)(struct api_request *, const PGresult *));
/* Binds the issuers of all providers there are. */
void api_oidc_bind_issuers(struct api_request *request);
/* Binds issuer, subject and e-mail address, in this order. */
void api_oidc_bind_person(struct api_request *request);
/* The member with the device's token, of a body that finishes. */
const struct api_spec_value *api_oidc_device(const struct api_request *request);

#endif
