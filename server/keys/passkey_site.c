/* The domain and origins whose passkeys this server accepts; see passkey_site.h. */
#include "server/keys/passkey_site.h"

#include "base/bug.h"
#include "server/edge/origin.h"
#include "server/edge/url.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

static bool origin_ok(const struct api_webauthn_site *site, const char *origin)
{
    return srv_origin_allowed(site->origins, site->dev, origin);
}

/* Whether the host is a name of lower-case letters, digits, dots, and dashes rather than an IPv4
 * address. */
static bool is_domain(const char *host)
{
    const size_t len = strlen(host);
    const char *last = strrchr(host, '.');
    last = last ? last + 1 : host;
    return len > 0 && len <= 253 && host[strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-")] == '\0' &&
           last[strspn(last, "0123456789")] != '\0';
}

/* Whether the text is a SHA-256 hash in base64url, the format of Android rather than the hex of keytool. */
static bool is_hash(const char *text)
{
    static const char base64url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return strlen(text) ==
               sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING) -
                   1 &&
           text[strspn(text, base64url)] == '\0';
}

static bool is_below(const char *host, const char *id)
{
    const size_t len = strlen(host), id_len = strlen(id);
    return len > id_len && host[len - id_len - 1] == '.' && strcmp(host + len - id_len, id) == 0;
}

/* Whether pages from an origin may use passkeys of the domain: it must be the same domain or a subdomain,
 * over https or on this machine. Origins of Android apps have a special form. */
static bool origin_fits(const char *origin, const char *id)
{
    static const char app[] = "android:apk-key-hash:";
    struct url url;
    if (strncmp(origin, app, sizeof(app) - 1) == 0)
        return is_hash(origin + sizeof(app) - 1);
    return !url_read(origin, &url) && (strcmp(url.host, id) == 0 || is_below(url.host, id)) &&
           (strcmp(url.scheme, "https") == 0 ||
            (strcmp(url.scheme, "http") == 0 && strcmp(url.host, "localhost") == 0));
}

static bool check_origins(const struct api_webauthn_site *site, char *error)
{
    char origin[SRV_TEXT_MAX];
    if (site->origins[strspn(site->origins, ", ")] == '\0') {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "passkey_origins: \"%.60s\" is not an origin; omit the key for the default",
                       site->origins);
        return false;
    }
    for (const char *at = site->origins + strspn(site->origins, ", "); *at;) {
        const size_t len = strcspn(at, ", ");
        (void)snprintf(origin, sizeof(origin), "%.*s", (int)len, at);
        if (!origin_fits(origin, site->id)) {
            (void)snprintf(error, SRV_ERROR_MAX,
                           "passkey_origins: \"%.*s\" must be an https:// origin of %.100s or its "
                           "subdomains, or android:apk-key-hash: with a SHA-256 in base64url",
                           (int)(len < 100 ? len : 100), at, site->id);
            return false;
        }
        const char *fault = strncmp(origin, "android:", 8) == 0 ? NULL : srv_origin_fault(origin);
        if (fault) {
            (void)snprintf(error, SRV_ERROR_MAX, "passkey_origins: \"%.150s\" %s", origin, fault);
            return false;
        }
        at += len;
        at += strspn(at, ", ");
    }
    return true;
}

bool srv_passkey_site(const struct srv_config *config, struct api_webauthn_site *site,
                      char error[SRV_ERROR_MAX])
{
    struct url url;
    char origin[SRV_TEXT_MAX];
    const bool configured = config->passkey_id[0] != '\0' || config->passkey_origins[0] != '\0';
    *site = (struct api_webauthn_site){.dev = config->dev, .origin_ok = origin_ok};
    (void)url_read(config->public_url, &url);
    (void)snprintf(origin, sizeof(origin), "%.*s", (int)url.origin, config->public_url);
    const char *id = config->passkey_id[0] ? config->passkey_id : url.host;
    if (!is_domain(id) || (!configured && !origin_fits(origin, id))) {
        if (!configured)
            return true;
        (void)snprintf(error, SRV_ERROR_MAX, "passkey_id: \"%.100s\" is not a lowercase domain name", id);
        return false;
    }
    if (configured && !strchr(id, '.') && is_below(url.host, id)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "passkey_id: \"%.100s\" is a top-level domain, which browsers refuse", id);
        return false;
    }
    if (strlen(config->passkey_name) >= sizeof(site->name)) {
        (void)snprintf(error, SRV_ERROR_MAX, "passkey_name: must have at most %zu bytes",
                       sizeof(site->name) - 1);
        return false;
    }
    (void)snprintf(site->id, sizeof(site->id), "%s", id);
    (void)snprintf(site->name, sizeof(site->name), "%s", config->passkey_name);
    (void)snprintf(site->origins, sizeof(site->origins), "%s",
                   config->passkey_origins[0] ? config->passkey_origins : origin);
    (void)crypto_hash_sha256(site->id_hash, (const unsigned char *)site->id, strlen(site->id));
    return check_origins(site, error);
}
