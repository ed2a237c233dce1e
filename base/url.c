/* URLs; see url.h. */
#include "base/url.h"

#include "base/addr.h"

#include <curl/urlapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_HOST "has no host"
#define BAD_HOST "has a host that cannot be one"
#define BAD_PORT "has no port from 1 to 65535 behind the colon, without a leading zero"

/* Copies a part of the URL. false: there is no such part, or it does not fit. */
static bool take(CURLU *url, CURLUPart part, char *out, size_t cap)
{
    char *text = NULL;
    bool ok = curl_url_get(url, part, &text, 0) == CURLUE_OK && strlen(text) < cap;
    if (ok)
        (void)snprintf(out, cap, "%s", text);
    curl_free(text);
    return ok;
}

/* at: after the user; end: after the port. Host and port must be spelled in libcurl's normal form (except
 * for IPv6 addresses, which it shortens), because libcurl also accepts hosts like 127.1 and %6c, zones,
 * empty ports, and leading zeros. */
static const char *read_host(CURLU *url, const char *at, const char *end, struct url *out)
{
    char zone[URL_HOST_MAX], port[16];
    if (!take(url, CURLUPART_HOST, out->host, sizeof(out->host)) ||
        take(url, CURLUPART_ZONEID, zone, sizeof(zone)))
        return BAD_HOST;
    bool ipv6 = out->host[0] == '[';
    if (!ipv6 && strncmp(at, out->host, strlen(out->host)) != 0)
        return BAD_HOST;
    at += ipv6 ? strcspn(at, "]") + 1 : strlen(out->host);
    if (at == end)
        return NULL;
    if (take(url, CURLUPART_PORT, port, sizeof(port)))
        out->port = (int)strtol(port, NULL, 10);
    size_t len = (size_t)snprintf(port, sizeof(port), ":%d", out->port);
    bool same = len == (size_t)(end - at) && strncmp(at, port, len) == 0 && out->port > 0;
    return same ? NULL : *at == ':' ? BAD_PORT : BAD_HOST;
}

static const char *read_parts(const char *text, const char *at, const char *end, struct url *out)
{
    const char *sign = memchr(at, '@', (size_t)(end - at)), *colon = memchr(at, ':', (size_t)(end - at));
    CURLU *url = curl_url();
    CURLUcode code =
        url ? curl_url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) : CURLUE_OUT_OF_MEMORY;
    const char *fault = code == CURLUE_OK                ? read_host(url, sign ? sign + 1 : at, end, out)
                        : code == CURLUE_NO_HOST         ? NO_HOST
                        : code == CURLUE_BAD_PORT_NUMBER ? BAD_PORT
                        : code == CURLUE_OUT_OF_MEMORY   ? "cannot be read: out of memory"
                                                         : BAD_HOST;
    curl_url_cleanup(url);
    out->user = sign != NULL;
    out->password = sign && colon && at < colon && colon + 1 < sign;
    return fault;
}

const char *url_read(const char *text, struct url *out)
{
    size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789+.-");
    *out = (struct url){0};
    if (scheme == 0 || scheme >= sizeof(out->scheme) || strncmp(text + scheme, "://", 3) != 0)
        return "has no scheme, such as https://";
    memcpy(out->scheme, text, scheme);
    for (const char *p = text; *p; p++)
        if (*p <= ' ' || *p > '~' || *p == '\\')
            return "has a character that no URL has";
    const char *at = text + scheme + 3, *end = at + strcspn(at, "/?#");
    out->origin = (size_t)(end - text);
    return at == end ? NO_HOST : read_parts(text, at, end, out); /* libcurl would skip more slashes */
}

bool url_is_here(const struct url *url)
{
    bool ipv6 = url->host[0] == '[';
    return addr_is_here(url->host + ipv6, strlen(url->host) - (ipv6 ? 2 : 0));
}
