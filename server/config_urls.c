/* The URLs of the configuration; see config_in.h. Main thread. */
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "mail/url.h"
#include "server/config_in.h"
#include "server/edge/origin.h"
#include "server/edge/url.h"
#include "server/edge/ws_url.h"

static void cut_last_slash(char *url)
{
    size_t len = strlen(url);
    if (len > 0 && url[len - 1] == '/')
        url[len - 1] = '\0';
}

/* The part before an @ may contain a password, so the message omits such a URL. */
static bool refuse(const char *name, const char *url, const char *what, char *error)
{
    bool shown = !strchr(url, '@');
    (void)snprintf(error, SRV_ERROR_MAX, "%s: %s%s%.150s%s", name, what, shown ? " (got \"" : "",
                   shown ? url : "", shown ? "\")" : "");
    return false;
}

/* "http://…" or "https://…", without a trailing slash. */
static bool check_http_url(const char *name, char *url, bool plain_ok, char *error)
{
    struct url parts;
    cut_last_slash(url);
    const char *fault = srv_url_fault(url, SRV_URL_PATH, &parts);
    if (strcmp(parts.scheme, "https") != 0 && !(plain_ok && strcmp(parts.scheme, "http") == 0))
        fault = plain_ok ? "must begin with https:// or http://"
                         : "must begin with https:// (http:// with --dev only)";
    return !fault || refuse(name, url, fault, error);
}

/* The base of an API, to which the server adds "/v1/…". */
static bool check_api_url(const char *name, char *url, bool plain_ok, char *error)
{
    static const char *const added[] = {"/v1", "/v2", "/v3", "/v1/traces"};
    if (!check_http_url(name, url, plain_ok, error))
        return false;
    size_t len = strlen(url);
    for (size_t i = 0; i < ARRAY_LEN(added); i++) {
        size_t n = strlen(added[i]);
        if (len > n && strcmp(url + len - n, added[i]) == 0)
            return refuse(name, url, "ends with a path that the server adds itself; leave it out", error);
    }
    return true;
}

/* The origin of a valid URL. */
static void origin_of(const char *url, struct url *parts, char origin[SRV_TEXT_MAX])
{
    (void)url_read(url, parts);
    (void)snprintf(origin, SRV_TEXT_MAX, "%.*s", (int)parts->origin, url);
}

/* Browsers display this URL, connect to it, and send its origin. */
static bool check_public_url(struct srv_config *config, char *error)
{
    char *url = config->public_url;
    if (url[0] == '\0')
        (void)snprintf(url, sizeof(config->public_url), "http://localhost:%lld",
                       (long long)config->http_port);
    if (!check_http_url("public_url", url, true, error))
        return false;
    struct url parts;
    char origin[SRV_TEXT_MAX];
    origin_of(url, &parts, origin);
    if (srv_url_everywhere(&parts))
        return refuse("public_url", url, "is the address to listen on, and browsers cannot reach it", error);
    const char *fault = srv_origin_fault(origin);
    return !fault || refuse("public_url", url, fault, error);
}

static bool check_ws_url(struct srv_config *config, char *error)
{
    if (config->ws_url[0] == '\0')
        (void)snprintf(config->ws_url, sizeof(config->ws_url), "ws://localhost:%lld",
                       (long long)config->ws_port);
    if (strlen(config->ws_url) > strlen("wss://"))
        cut_last_slash(config->ws_url);
    return srv_ws_url_fits(config->ws_url, error, SRV_ERROR_MAX);
}

/* If `origins` is set but lacks the page's own origin, the page loads but its tables never open. */
static bool check_page_origin(const struct srv_config *config, char *error)
{
    struct url parts;
    char origin[SRV_TEXT_MAX];
    origin_of(config->public_url, &parts, origin);
    if (srv_key_source(config, "public_url") == SRV_FROM_DEFAULT || config->origins[0] == '\0' ||
        srv_origin_allowed(config->origins, config->dev, origin))
        return true;
    (void)snprintf(
        error, SRV_ERROR_MAX,
        "origins: does not list \"%.150s\", so that the page at public_url could not open a table; "
        "add it",
        origin);
    return false;
}

static bool check_origins(const struct srv_config *config, char *error)
{
    const char *at = config->origins;
    if (at[0] && at[strspn(at, ", ")] == '\0') {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "origins: \"%.60s\" is not an origin; leave the key empty for none", at);
        return false;
    }
    for (at += strspn(at, ", "); *at; at += strspn(at, ", ")) {
        char origin[SRV_TEXT_MAX];
        size_t len = strcspn(at, ", ");
        (void)snprintf(origin, sizeof(origin), "%.*s", (int)len, at);
        const char *fault = srv_origin_fault(origin);
        if (fault) {
            (void)snprintf(error, SRV_ERROR_MAX, "origins: \"%.150s\" %s", origin, fault);
            return false;
        }
        at += len;
    }
    return check_page_origin(config, error);
}

static bool check_smtp_url(const struct srv_config *config, char *error)
{
    struct url parts;
    const char *url = config->smtp_url;
    return url[0] == '\0' || (mail_url_ok(url) && !srv_url_fault(url, SRV_URL_NO_PATH, &parts)) ||
           refuse("smtp_url", url, "must be smtp://HOST[:PORT] or smtps://HOST[:PORT]", error);
}

static bool check_host(const char *key, const char *host, char *error)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    if (host[strspn(host, allowed)] == '\0' && srv_host_ok(host))
        return true;
    (void)snprintf(error, SRV_ERROR_MAX, "%s: must be a lowercase host name without https:// (got \"%.80s\")",
                   key, host);
    return false;
}

bool srv_config_check_urls(struct srv_config *config, char error[SRV_ERROR_MAX])
{
    return check_ws_url(config, error) && check_public_url(config, error) && check_origins(config, error) &&
           check_smtp_url(config, error) &&
           (config->otlp_endpoint[0] == '\0' ||
            check_api_url("otlp_endpoint", config->otlp_endpoint, true, error))
#define API_URL_KEY(k, ...) &&check_api_url(#k, config->k, config->dev, error)
#define URL_KEY(k, ...) &&check_http_url(#k, config->k, config->dev, error)
#define HOST_KEY(k, ...) &&check_host(#k, config->k, error)
#include "server/config_keys.def"
        ;
}
