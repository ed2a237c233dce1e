/* Parses the bus URL; see bus.h. Pure, any thread. */
#include <string.h>

#include "base/addr.h"
#include "bus/bus_in.h"

static bool plain(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] >= 0x7F || strchr("/?#@\"\\", text[i]))
            return false;
    return len > 0;
}

/* ":4222" or empty. */
static bool port_ok(const char *text, size_t len)
{
    int port = 0;
    if (len == 0)
        return true;
    if (text[0] != ':' || len < 2 || len > 6)
        return false;
    for (size_t i = 1; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        port = port * 10 + (text[i] - '0');
    }
    return port >= 1 && port <= 65535;
}

static bool read_host(const char *text, size_t len, struct bus_server *server)
{
    const char *end = text + len, *port;
    if (len > 0 && text[0] == '[') {
        const char *bracket = memchr(text, ']', len);
        if (!bracket)
            return false;
        server->host = text + 1;
        port = bracket + 1;
        server->host_len = (size_t)(bracket - text) - 1;
    } else {
        const char *colon = memchr(text, ':', len);
        server->host = text;
        port = colon ? colon : end;
        server->host_len = (size_t)(port - text);
    }
    return plain(server->host, server->host_len) && port_ok(port, (size_t)(end - port));
}

static bool read_server(const char *text, size_t len, struct bus_server *server)
{
    static const char nats[] = "nats://", tls[] = "tls://";
    *server = (struct bus_server){.tls = len > strlen(tls) && strncmp(text, tls, strlen(tls)) == 0};
    size_t skip = server->tls ? strlen(tls) : strlen(nats);
    if (len <= skip || (!server->tls && strncmp(text, nats, skip) != 0))
        return false;
    text += skip;
    len -= skip;
    const char *at = memchr(text, '@', len);
    if (at) {
        size_t names = (size_t)(at - text);
        const char *colon = memchr(text, ':', names);
        if (!colon)
            return false;
        server->user = text;
        server->user_len = (size_t)(colon - text);
        server->password = colon + 1;
        server->password_len = names - server->user_len - 1;
        if (!plain(server->user, server->user_len) || !plain(server->password, server->password_len))
            return false;
        len -= names + 1;
        text = at + 1;
    }
    return read_host(text, len, server);
}

/* All servers of one bus must use the same scheme. */
size_t bus_url_read(const char *url, struct bus_server servers[BUS_SERVERS_MAX])
{
    size_t n = 0;
    if (strlen(url) >= BUS_URL_MAX)
        return 0;
    for (const char *at = url;; at++) {
        size_t len = strcspn(at, ",");
        if (n == BUS_SERVERS_MAX || !read_server(at, len, &servers[n]) || servers[n].tls != servers[0].tls)
            return 0;
        n++;
        at += len;
        if (*at == '\0')
            return n;
    }
}

enum bus_url bus_url_check(const char *url)
{
    struct bus_server servers[BUS_SERVERS_MAX];
    size_t n = bus_url_read(url, servers);
    bool exposed = false;
    if (n == 0)
        return BUS_URL_BAD;
    for (size_t i = 0; i < n; i++) {
        if (!servers[i].user)
            return BUS_URL_NAMELESS;
        exposed = exposed || (!servers[i].tls && !addr_is_here(servers[i].host, servers[i].host_len));
    }
    return exposed ? BUS_URL_EXPOSED : BUS_URL_OK;
}
