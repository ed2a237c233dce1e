/* The OpenID Connect providers in the configuration. */
#ifndef RUMMYD_SERVER_OIDC_LOAD_H
#define RUMMYD_SERVER_OIDC_LOAD_H

#include "oidc/oidc.h"
#include "server/config.h"

/* Reads the file of providers and their secret files; without oidc_file there are no providers. false:
 * `error` names the key; call oidc_free in any case. Main thread. */
bool srv_oidc_load(const struct srv_config *config, struct oidc_client *oidc, char error[SRV_ERROR_MAX]);

#endif
