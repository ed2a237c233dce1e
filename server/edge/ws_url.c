/* Public socket URLs; see ws_url.h. */
#include "server/edge/ws_url.h"

#include <stdio.h>
#include <string.h>

#include "server/edge/url.h"

static bool is_socket(const struct url *url)
{
    return strcmp(url->scheme, "ws") == 0 || strcmp(url->scheme, "wss") == 0;
}

static bool fail(char *error, size_t cap, const char *url, const char *what)
{
    bool shown = !strchr(url, '@'); /* otherwise it may contain a password */
    (void)snprintf(error, cap, "ws_url: %s%s%.150s%s", what, shown ? " (got \"" : "", shown ? url : "",
                   shown ? "\")" : "");
    return false;
}

bool srv_ws_url_fits(const char *text, char *error, size_t error_cap)
{
    struct url url;
    const char *fault = srv_url_fault(text, SRV_URL_PATH, &url);
    if (!is_socket(&url))
        fault = "must begin with ws:// or wss://";
    else if (!fault && srv_url_everywhere(&url))
        fault = "is the address to listen on, and players cannot reach it";
    return !fault || fail(error, error_cap, text, fault);
}

size_t srv_ws_url_origin(const char *text)
{
    struct url url;
    return !url_read(text, &url) && is_socket(&url) ? url.origin : 0;
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
