/* URLs in the configuration; see url.h. */
#include "server/edge/url.h"

#include <string.h>

#include "base/addr.h"

#define PATH_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_/~%+:@!$&()*="

enum { HOST_MAX = 253, LABEL_MAX = 63 };

/* A host of only digits and dots must be an IPv4 address. */
bool srv_host_ok(const char *host)
{
    struct addr addr;
    size_t len = strlen(host);
    if (host[0] == '[')
        return true; /* url_read has validated it */
    if (host[strspn(host, "0123456789.")] == '\0')
        return addr_of_text(host, &addr);
    for (const char *at = host; at <= host + len; at += strcspn(at, ".") + 1) {
        size_t label = strcspn(at, ".");
        if (label == 0 || label > LABEL_MAX || at[0] == '-' || at[label - 1] == '-')
            return false;
    }
    return len <= HOST_MAX;
}

const char *srv_url_fault(const char *text, enum srv_url_path path, struct url *out)
{
    const char *fault = url_read(text, out), *rest = text + out->origin;
    if (fault)
        return fault;
    if (!srv_host_ok(out->host))
        return "has a host that cannot be one";
    if (out->user || rest[strspn(rest, PATH_CHARS)] != '\0')
        return "is more than a host, a port and a path";
    return *rest == '\0' || path == SRV_URL_PATH ? NULL : "has a path; leave it out, with its slash";
}

bool srv_url_everywhere(const struct url *url)
{
    return strcmp(url->host, "0.0.0.0") == 0 || strcmp(url->host, "[::]") == 0;
}

const char *srv_origin_fault(const char *origin)
{
    struct url url;
    const char *fault = srv_url_fault(origin, SRV_URL_NO_PATH, &url);
    if (strcmp(origin, "*") == 0)
        return "would let the page of any site act for players; list each origin";
    if (url.scheme[0] == '\0')
        return "must be scheme://host[:port], as in https://play.example";
    if (fault)
        return fault;
    if (strpbrk(origin, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        return "has capital letters, but browsers send small ones";
    if (strcmp(url.scheme, "ws") == 0 || strcmp(url.scheme, "wss") == 0)
        return "is the address of a socket; list the page's, which begins with https://";
    if (!strstr(origin, url.host))
        return "has an IPv6 address that browsers write in a shorter form";
    if (url.port == (strcmp(url.scheme, "https") == 0 ? 443 : strcmp(url.scheme, "http") == 0 ? 80 : -1))
        return "has the port that its scheme implies, which browsers leave out; leave it out too";
    return NULL;
}
