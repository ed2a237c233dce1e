/* The discovery document; see answers.h. */
#include "oidc/answers.h"

#include "net/read.h"

#include <stdio.h>
#include <string.h>

static bool lists(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text && strcmp(text, word) == 0)
            return true;
    }
    return false;
}

static bool take_url(const struct oidc_client *oidc, const json_t *root, const char *name,
                     char out[OIDC_URL_MAX], char why[OIDC_WHY_MAX])
{
    net_read_text(root, name, out, OIDC_URL_MAX);
    if (oidc_url_ok(oidc, out))
        return true;
    (void)snprintf(why, OIDC_WHY_MAX, "discovery: %s is not an https:// address", name);
    return false;
}

static bool read_members(const struct oidc_client *oidc, const struct oidc_provider *provider,
                         const json_t *root, struct oidc_endpoints *out, char why[OIDC_WHY_MAX])
{
    if (!net_read_is(root, "issuer", provider->issuer)) {
        char named[48];
        net_read_text(root, "issuer", named, sizeof(named));
        (void)snprintf(why, OIDC_WHY_MAX, "discovery: it belongs to another issuer (%s), not %.48s",
                       net_read_printed(named) ? named : "?", provider->issuer);
        return false;
    }
    const json_t *ways = json_object_get(root, "token_endpoint_auth_methods_supported");
    out->secret_in_form = lists(ways, "client_secret_post"); /* if there is no list, Authorization is used */
    out->names_itself = json_is_true(json_object_get(root, "authorization_response_iss_parameter_supported"));
    return take_url(oidc, root, "authorization_endpoint", out->authorize, why) &&
           take_url(oidc, root, "token_endpoint", out->token, why) &&
           take_url(oidc, root, "jwks_uri", out->keys, why);
}

bool oidc_discovery_read(const struct oidc_client *oidc, const struct oidc_provider *provider,
                         const char *body, size_t len, struct oidc_endpoints *out, char why[OIDC_WHY_MAX])
{
    *out = (struct oidc_endpoints){0};
    json_t *root = net_read_object(body, len);
    if (!root)
        (void)snprintf(why, OIDC_WHY_MAX, "discovery: not a JSON object");
    bool ok = root && read_members(oidc, provider, root, out, why);
    json_decref(root);
    return ok;
}
