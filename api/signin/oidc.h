/* The OpenID Connect flow, shared by signing in and linking. REST loops; workers send the requests to the
 * provider. */
#ifndef RUMMYD_API_OIDC_H
#define RUMMYD_API_OIDC_H

#include "api/core/request.h"
#include "oidc/oidc.h"

extern const struct db_stmt api_oidc_begin_stmt; /* do_identity_begin */

/* The flow, in request->own. */
struct api_oidc {
    const struct oidc_provider *provider;
    char redirect_uri[OIDC_URL_MAX];
    enum oidc_outcome outcome;
    char url[OIDC_AUTHORIZE_MAX];
    struct oidc_person person;
    char secret[API_TOKEN_RANDOM_MAX]; /* generated on begin */
    enum api_next (*then)(struct api_request *,
                          const PGresult *); /* continuation once the identity is known */
    char why[OIDC_WHY_MAX];
};

/* Begins a sign-in, or a link to the signed-in account: gets the provider's URL, stores the flow, and
 * replies. */
enum api_next api_oidc_begin(struct api_request *request);
/* Finishes a flow, and continues with `then` once the provider has confirmed the identity. */
enum api_next api_oidc_finish(struct api_request *request,
                              enum api_next (*then)(struct api_request *, const PGresult *));
/* Binds the issuers of all configured providers. */
void api_oidc_bind_issuers(struct api_request *request);
/* Binds the issuer, the subject, and the email address, in this order. */
void api_oidc_bind_person(struct api_request *request);
/* The member of a finish request's body that has the device's token. */
const struct api_spec_value *api_oidc_device(const struct api_request *request);

#endif
