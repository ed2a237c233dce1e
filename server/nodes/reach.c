/* Checks whether players can reach a node; see reach.h. */
#include "server/nodes/reach.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "net/fetch.h"

enum {
    REACH_MS = 2000, /* per attempt */
    REACH_ROUNDS_MAX =
        3, /* at startup, with NET_TRIES_MAX attempts each: a proxy may start after its nodes */
    REACH_EVERY_MS = 2000, /* after startup */
    MISSES_MAX = 3,        /* in a row: then it counts as unreachable */
    HITS_MIN = 2           /* in a row: then it counts as reachable again */
};

struct srv_reach {
    const struct srv_config *config;
    struct srv_lease *lease;
    struct ticker *ticker;
    atomic_bool stop;
    int misses, hits; /* in a row */
};

static void address_of(const struct srv_config *config, char url[SRV_TEXT_MAX + 32])
{
    const char *rest = strchr(config->ws_url, ':'); /* "://host…": ws becomes http, wss https */
    (void)snprintf(url, SRV_TEXT_MAX + 32, "http%s%s/ws/healthz",
                   strncmp(config->ws_url, "wss", 3) == 0 ? "s" : "", rest);
}

bool srv_node_reached(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    const struct net_client client = {.timeout_ms = REACH_MS};
    char url[SRV_TEXT_MAX + 32];
    struct net_fetched answer = {0};
    address_of(config, url);
    for (int round = 0; round < REACH_ROUNDS_MAX; round++) {
        bool reached = net_fetch_run(&client, &(struct net_fetch){.url = url}, &answer);
        net_fetch_free(&answer);
        if (reached)
            return true;
    }
    (void)snprintf(error, SRV_ERROR_MAX, "ws_url: no response from %.200s, where clients connect: %.100s",
                   config->ws_url, answer.why);
    return false;
}

/* From a proxy that cannot forward to the node. */
static bool is_of_proxy(long status)
{
    return status >= 502 && status <= 504;
}

static bool is_reached_now(const struct srv_reach *reach)
{
    const struct net_client client = {.timeout_ms = REACH_MS, .stop = &reach->stop};
    char url[SRV_TEXT_MAX + 32];
    struct net_fetched answer = {0};
    address_of(reach->config, url);
    bool reached = net_fetch_run(&client, &(struct net_fetch){.url = url, .once = true}, &answer) &&
                   !is_of_proxy(answer.status);
    net_fetch_free(&answer);
    return reached;
}

static void tick(struct ticker *ticker, void *arg)
{
    struct srv_reach *reach = arg;
    bool alone = !srv_lease_accompanied(reach->lease);
    (void)ticker;
    if (alone || !srv_lease_held(reach->lease)) {
        reach->misses = reach->hits = 0;
        if (alone) /* no other node could take its tables, and those of dead nodes belong to it */
            srv_lease_reached(reach->lease, true);
        return;
    }
    bool reached = is_reached_now(reach);
    reach->hits = reached ? reach->hits + 1 : 0;
    reach->misses = reached ? 0 : reach->misses + 1;
    if (reach->misses == MISSES_MAX)
        srv_lease_reached(reach->lease, false);
    if (reach->hits == HITS_MIN)
        srv_lease_reached(reach->lease, true);
}

struct srv_reach *srv_reach_start(const struct srv_config *config, struct srv_lease *lease)
{
    struct srv_reach *reach = config->ws_url_check ? calloc(1, sizeof(*reach)) : NULL;
    if (!reach)
        return NULL;
    reach->config = config;
    reach->lease = lease;
    reach->ticker = ticker_start("reach", REACH_EVERY_MS, tick, reach);
    if (reach->ticker)
        return reach;
    free(reach);
    return NULL;
}

void srv_reach_stop(struct srv_reach *reach)
{
    if (!reach)
        return;
    atomic_store(&reach->stop, true);
    ticker_stop(reach->ticker);
    free(reach);
}
