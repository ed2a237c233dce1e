/* Public addresses of sockets; see ws_url.h. */
#include "server/ws_url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

#define HOST_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
#define PATH_CHARS HOST_CHARS "/~%+:@!$&()*="

static const char *after_scheme(const char *url)
{
    const char *at = strncmp(url, "ws://", 5) == 0    ? url + 5
                     : strncmp(url, "wss://", 6) == 0 ? url + 6
                                                      : NULL;
    return at;
}

/* Bytes of the host; 0: there is none. */
static size_t host_len(const char *host)
{
    if (host[0] != '[')
        return strspn(host, HOST_CHARS);
    size_t inside = strspn(host + 1, "0123456789abcdefABCDEF:.");
    return inside > 0 && host[1 + inside] == ']' ? inside + 2 : 0;
}

/* Where a program listens when it listens everywhere: an address that leads nobody anywhere. */
static bool is_everywhere(const char *host, size_t len)
{
    static const char *const all[] = {"0.0.0.0", "[::]", "[::0]", "0"};
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (strlen(all[i]) == len && strncmp(all[i], host, len) == 0)
            return true;
    return false;
}

static bool is_port(const char *text, size_t len)
{
    if (len == 0 || len > 5 || strspn(text, "0123456789") < len)
        return false;
    long port = strtol(text, NULL, 10);
    return port > 0 && port <= 65535;
}

static bool say(char *error, size_t cap, const char *what)
{
    (void)snprintf(error, cap, "ws_url: %s", what);
    return false;
}

bool srv_ws_url_fits(const char *url, char *error, size_t error_cap)
{
    const char *host = after_scheme(url);
    if (!host)
        return say(error, error_cap, "must begin with ws:// or wss://");
    size_t len = host_len(host);
    const char *rest = host + len;
    if (len == 0)
        return say(error, error_cap, "has no host");
    if (is_everywhere(host, len))
        return say(error, error_cap, "is the address to listen on, and players cannot reach it");
    if (*rest == ':') {
        size_t digits = strcspn(rest + 1, "/");
        if (!is_port(rest + 1, digits))
            return say(error, error_cap, "has no port from 1 to 65535 behind the colon");
        rest += 1 + digits;
    }
    if (*rest != '\0' && (*rest != '/' || rest[strspn(rest, PATH_CHARS)] != '\0'))
        return say(error, error_cap, "is more than a host, a port and a path");
    return true;
}

size_t srv_ws_url_origin(const char *url)
{
    const char *host = after_scheme(url);
    return host ? (size_t)(host - url) + strcspn(host, "/") : 0;
}

void srv_ws_url_list(char list[SRV_SOCKETS_MAX], const char *url)
{
    size_t len = srv_ws_url_origin(url), used = strlen(list);
    for (const char *one = list; *one;) {
        size_t one_len = strcspn(one, " ");
        if (one_len == len && strncmp(one, url, len) == 0)
            return;
        one += one_len + (one[one_len] == ' ');
    }
    if (len > 0 && used + len + 2 <= SRV_SOCKETS_MAX)
        (void)snprintf(list + used, SRV_SOCKETS_MAX - used, "%s%.*s", used > 0 ? " " : "", (int)len, url);
}
