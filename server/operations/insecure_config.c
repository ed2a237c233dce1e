/* Refuses to start with a configuration that exposes traffic to eavesdropping; see server/config.h. Main
 * thread. */
#include <stdio.h>
#include <string.h>

#include "base/url.h"
#include "bus/bus.h"
#include "db/pg.h"
#include "server/config.h"

/* Whether the URL uses TLS or connects to this machine. */
static bool is_safe_socket_url(const char *url)
{
    struct url parts;
    return strncmp(url, "wss://", 6) == 0 || (!url_read(url, &parts) && url_is_here(&parts));
}

/* The message must not repeat any part of the URL, because it contains a password. */
static bool check_bus(const struct srv_config *config, char *error)
{
    enum bus_url looks = config->bus_url[0] ? bus_url_check(config->bus_url) : BUS_URL_OK;
    if (looks == BUS_URL_BAD) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "bus_url: must be nats://USER:PASSWORD@HOST[:PORT] or tls://…, at most %d of one kind",
                       BUS_SERVERS_MAX);
        return false;
    }
    if (looks == BUS_URL_NAMELESS && !config->dev) {
        (void)snprintf(error, SRV_ERROR_MAX, "bus_url: requires USER:PASSWORD@ (optional only with --dev)");
        return false;
    }
    if (config->bus_ca[0] && !bus_url_is_tls(config->bus_url)) {
        (void)snprintf(error, SRV_ERROR_MAX, "bus_ca: requires a bus_url that begins with tls://");
        return false;
    }
    if (looks == BUS_URL_EXPOSED && !config->dev && !config->bus_insecure) {
        (void)snprintf(
            error, SRV_ERROR_MAX,
            "bus_url: NATS is on another machine and the connection does not use TLS: begin the URL with "
            "tls://, or set bus_insecure = on if the network is private");
        return false;
    }
    return true;
}

bool srv_config_is_secure(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    if (!config->dev && !is_safe_socket_url(config->ws_url)) {
        (void)snprintf(
            error, SRV_ERROR_MAX,
            "ws_url: must begin with wss:// (ws:// only for this machine or with --dev; got \"%.150s\")",
            strchr(config->ws_url, '@') ? "…" : config->ws_url);
        return false;
    }
    if (!config->db_insecure && !db_conninfo_is_secure(config->db)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "db: PostgreSQL is on another machine and its certificate is not checked: add "
                       "sslmode=verify-full, or set db_insecure = on if the network is private");
        return false;
    }
    if (!config->db_insecure && config->db_read[0] && !db_conninfo_is_secure(config->db_read)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "db_read: PostgreSQL is on another machine and its certificate is not checked: add "
                       "sslmode=verify-full, or set db_insecure = on if the network is private");
        return false;
    }
    return check_bus(config, error);
}
