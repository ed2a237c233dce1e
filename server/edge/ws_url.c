/* Public socket URLs; see ws_url.h. */
#include "server/edge/ws_url.h"

#include <stdio.h>
#include <string.h>

#include "server/edge/url.h"

static const char *after_scheme(const char *url)
{
    const char *at = strncmp(url, "ws://", 5) == 0    ? url + 5
                     : strncmp(url, "wss://", 6) == 0 ? url + 6
                                                      : NULL;
    return at;
}

static bool fail(char *error, size_t cap, const char *url, const char *what)
{
    bool shown = !strchr(url, '@'); /* otherwise it may contain a password */
    (void)snprintf(error, cap, "ws_url: %s%s%.150s%s", what, shown ? " (got \"" : "", shown ? url : "",
                   shown ? "\")" : "");
    return false;
}

bool srv_ws_url_fits(const char *url, char *error, size_t error_cap)
{
    const char *host = after_scheme(url);
    if (!host)
        return fail(error, error_cap, url, "must begin with ws:// or wss://");
    if (srv_url_everywhere(host))
        return fail(error, error_cap, url, "is the address to listen on, and players cannot reach it");
    const char *fault = srv_url_fault(host, SRV_URL_PATH);
    return fault ? fail(error, error_cap, url, fault) : true;
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
