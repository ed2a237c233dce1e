/* Whether players reach a node; see reach.h. */
#include "server/nodes/reach.h"

#include <stdio.h>
#include <string.h>

#include "net/fetch.h"

enum {
    REACH_MS = 2000,     /* of one try */
    REACH_ROUNDS_MAX = 3 /* of NET_TRIES_MAX tries each: a proxy may start after its nodes */
};

bool srv_node_reached(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    const struct net_client client = {.timeout_ms = REACH_MS};
    const char *rest = strchr(config->ws_url, ':'); /* "://host…": ws becomes http, wss https */
    char url[SRV_TEXT_MAX + 32];
    (void)snprintf(url, sizeof(url), "http%s%s/ws/lobby", strncmp(config->ws_url, "wss", 3) == 0 ? "s" : "",
                   rest);
    struct net_fetched answer = {0};
    for (int round = 0; round < REACH_ROUNDS_MAX; round++) {
        bool reached = net_fetch_run(&client, &(struct net_fetch){.url = url}, &answer);
        net_fetch_free(&answer);
        if (reached)
            return true;
    }
    (void)snprintf(error, SRV_ERROR_MAX, "ws_url: nobody answers at %.200s, where players are sent: %.100s",
                   config->ws_url, answer.why);
    return false;
}
