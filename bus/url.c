/* Parses the bus URL; see bus.h. Any thread. */
#include <string.h>

#include "base/url.h"
#include "bus/bus.h"

static enum bus_url check_server(const char *text, const char *scheme)
{
    struct url url;
    if (url_read(text, &url) || strcmp(url.scheme, scheme) != 0 || text[url.origin] != '\0' ||
        url.user != url.password || strchr(text, '"'))
        return BUS_URL_BAD;
    bool safe = strcmp(scheme, "tls") == 0 || url_is_here(&url);
    return !url.user ? BUS_URL_NAMELESS : safe ? BUS_URL_OK : BUS_URL_EXPOSED;
}

/* The result of the worst server. All servers must use the same scheme. */
enum bus_url bus_url_check(const char *url)
{
    char text[BUS_URL_MAX];
    enum bus_url worst = BUS_URL_OK;
    const char *scheme = bus_url_is_tls(url) ? "tls" : "nats";
    if (strlen(url) >= sizeof(text))
        return BUS_URL_BAD;
    for (size_t n = 0;; n++) {
        size_t len = strcspn(url, ",");
        memcpy(text, url, len);
        text[len] = '\0';
        enum bus_url one = n < BUS_SERVERS_MAX ? check_server(text, scheme) : BUS_URL_BAD;
        worst = one < worst ? one : worst;
        if (url[len] == '\0' || worst == BUS_URL_BAD)
            break;
        url += len + 1;
    }
    explicit_bzero(text, sizeof(text));
    return worst;
}

bool bus_url_is_tls(const char *url)
{
    return strncmp(url, "tls://", strlen("tls://")) == 0;
}
