/* The domain and origins whose passkeys this server accepts, from its configuration. Main thread, at
 * startup. */
#ifndef RUMMYD_SERVER_PASSKEY_SITE_H
#define RUMMYD_SERVER_PASSKEY_SITE_H

#include "api/signin/webauthn.h"
#include "server/config.h"

/* Fills in the site: domain, name, and origins, as configured or derived from public_url. If browsers do
 * not support passkeys for public_url (an address instead of a name, or no https), passkeys are off. false:
 * invalid keys; error is one sentence that names the key. */
bool srv_passkey_site(const struct srv_config *config, struct api_webauthn_site *site,
                      char error[SRV_ERROR_MAX]);

#endif
