/* The identity providers; see oidc_load.h. Main thread. */
#include "server/keys/oidc_load.h"
#include "server/keys/secret_file.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE "/sign-in" /* the page's path to which providers redirect users (web/src/lib/addresses.ts) */

static bool read_secret(const struct srv_config *config, struct oidc_provider *provider, char *error)
{
    size_t len;
    if (!srv_secret_private("oidc_file", provider->client_secret_file, config->dev, error))
        return false;
    char *bytes = srv_file_read("oidc_file", provider->client_secret_file, &len, error);
    if (!bytes)
        return false;
    while (len > 0 && (bytes[len - 1] == '\n' || bytes[len - 1] == '\r'))
        len--;
    bool fits = len > 0 && len < sizeof(provider->secret) && !memchr(bytes, '\0', len);
    if (fits)
        memcpy(provider->secret, bytes, len); /* already NUL-terminated */
    else
        (void)snprintf(error, SRV_ERROR_MAX, "oidc_file: %.200s must contain 1 to %d bytes",
                       provider->client_secret_file, (int)sizeof(provider->secret) - 1);
    sodium_memzero(bytes, len);
    free(bytes);
    return fits;
}

static bool read_providers(const struct srv_config *config, struct oidc_client *oidc, char *error)
{
    size_t len;
    char why[OIDC_WHY_MAX];
    char *bytes = srv_file_read("oidc_file", config->oidc_file, &len, error);
    if (!bytes)
        return false;
    bool ok = oidc_config_read(oidc, bytes, len, why);
    if (!ok)
        (void)snprintf(error, SRV_ERROR_MAX, "oidc_file: %s", why);
    free(bytes);
    for (size_t i = 0; ok && i < oidc->providers_n; i++)
        if (oidc->provider[i].client_secret_file[0])
            ok = read_secret(config, &oidc->provider[i], error);
    return ok;
}

bool srv_oidc_load(const struct srv_config *config, struct oidc_client *oidc, char error[SRV_ERROR_MAX])
{
    oidc->net.timeout_ms = config->oidc_timeout_ms;
    oidc->plain_ok = config->dev;
    if (!oidc_start(oidc)) {
        (void)snprintf(error, SRV_ERROR_MAX, "oidc_file: out of memory");
        return false;
    }
    int n = snprintf(oidc->redirect[0], sizeof(oidc->redirect[0]), "%s%s", config->public_url, PAGE);
    if (n >= (int)sizeof(oidc->redirect[0])) {
        (void)snprintf(error, SRV_ERROR_MAX, "public_url: too long");
        return false;
    }
    oidc->redirects_n = 1;
    return config->oidc_file[0] == '\0' || read_providers(config, oidc, error);
}
