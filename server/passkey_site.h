/* Whose passkeys this server takes, from its configuration. Main thread, at the start. */
#ifndef RUMMYD_SERVER_PASSKEY_SITE_H
#define RUMMYD_SERVER_PASSKEY_SITE_H

#include "api/webauthn.h"
#include "server/config.h"

/* Fills in the site: its domain, name and origins, as configured or else those of public_url. A public_url
 * that no browser makes passkeys for (an address instead of a name, or no https) leaves them off; keys that
 * are wrong are an error: false, with one sentence that names the key. */
bool srv_passkey_site(const struct srv_config *config, struct api_webauthn_site *site,
                      char error[SRV_ERROR_MAX]);

#endif
