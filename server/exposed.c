/* Refuses at the start what would let others read along; see config.h. Main thread. */
#include <stdio.h>
#include <string.h>

#include "base/addr.h"
#include "db/pg.h"
#include "server/config.h"

/* TLS, or nobody on the way. */
static bool is_safe_socket_url(const char *url)
{
    if (strncmp(url, "wss://", 6) == 0)
        return true;
    const char *host = url + strlen("ws://");
    bool bracket = host[0] == '[';
    host += bracket;
    return !strchr(host, '@') && addr_is_here(host, strcspn(host, bracket ? "]" : ":/?#"));
}

bool srv_config_unexposed(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    if (!config->dev && !is_safe_socket_url(config->ws_url)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "ws_url: must begin with wss:// (ws:// for this machine or with --dev only)");
        return false;
    }
    if (!config->db_insecure && !db_is_guarded(config->db)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "db: PostgreSQL is on another machine and its certificate is not checked: add "
                       "sslmode=verify-full, or set db_insecure = on where nobody else is on the way");
        return false;
    }
    return true;
}
