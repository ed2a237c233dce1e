/* Checks whether players can reach a node; see selfcheck.h. */
#include "server/nodes/selfcheck.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "net/fetch.h"

enum {
    SELFCHECK_MS = 2000, /* per attempt */
    SELFCHECK_ROUNDS_MAX =
        3, /* at startup, with NET_TRIES_MAX attempts each, because a proxy may start after its nodes */
    SELFCHECK_EVERY_MS = 2000, /* after startup */
    MISSES_MAX = 3,            /* in a row, until the node counts as unreachable */
    HITS_MIN = 2               /* in a row, until it counts as reachable again */
};

struct srv_selfcheck {
    const struct srv_config *config;
    struct srv_lease *lease;
    struct ticker *ticker;
    atomic_bool stop;
    int misses, hits; /* in a row */
};

static void address_of(const struct srv_config *config, char url[SRV_TEXT_MAX + 32])
{
    const char *rest = config->ws_url + strlen("ws"); /* ws becomes http, wss https */
    (void)snprintf(url, SRV_TEXT_MAX + 32, "http%s/ws/healthz", rest);
}

bool srv_selfcheck_at_startup(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    const struct net_client client = {.timeout_ms = SELFCHECK_MS};
    char url[SRV_TEXT_MAX + 32];
    struct net_fetched answer = {0};
    address_of(config, url);
    for (int round = 0; round < SELFCHECK_ROUNDS_MAX; round++) {
        bool reached = net_fetch_run(&client, &(struct net_fetch){.url = url}, &answer);
        net_fetch_free(&answer);
        if (reached)
            return true;
    }
    (void)snprintf(error, SRV_ERROR_MAX, "ws_url: no response from %.200s, where clients connect: %.100s",
                   config->ws_url, answer.why);
    return false;
}

/* Whether the response is from a proxy that cannot forward to the node. */
static bool is_of_proxy(long status)
{
    return status >= 502 && status <= 504;
}

static bool is_reached_now(const struct srv_selfcheck *selfcheck)
{
    const struct net_client client = {.timeout_ms = SELFCHECK_MS, .stop = &selfcheck->stop};
    char url[SRV_TEXT_MAX + 32];
    struct net_fetched answer = {0};
    address_of(selfcheck->config, url);
    bool reached = net_fetch_run(&client, &(struct net_fetch){.url = url, .once = true}, &answer) &&
                   !is_of_proxy(answer.status);
    net_fetch_free(&answer);
    return reached;
}

static void tick(struct ticker *ticker, void *arg)
{
    struct srv_selfcheck *selfcheck = arg;
    bool alone = !srv_lease_has_peers(selfcheck->lease);
    (void)ticker;
    if (alone || !srv_lease_held(selfcheck->lease)) {
        selfcheck->misses = selfcheck->hits = 0;
        if (alone) /* it must keep its tables, and take those of failed nodes */
            srv_lease_set_reached(selfcheck->lease, true);
        return;
    }
    bool reached = is_reached_now(selfcheck);
    selfcheck->hits = reached ? selfcheck->hits + 1 : 0;
    selfcheck->misses = reached ? 0 : selfcheck->misses + 1;
    if (selfcheck->misses == MISSES_MAX)
        srv_lease_set_reached(selfcheck->lease, false);
    if (selfcheck->hits == HITS_MIN)
        srv_lease_set_reached(selfcheck->lease, true);
}

struct srv_selfcheck *srv_selfcheck_start(const struct srv_config *config, struct srv_lease *lease)
{
    struct srv_selfcheck *selfcheck = config->ws_url_check ? calloc(1, sizeof(*selfcheck)) : NULL;
    if (!selfcheck)
        return NULL;
    selfcheck->config = config;
    selfcheck->lease = lease;
    selfcheck->ticker = ticker_start("selfcheck", SELFCHECK_EVERY_MS, tick, selfcheck);
    if (selfcheck->ticker)
        return selfcheck;
    free(selfcheck);
    return NULL;
}

void srv_selfcheck_stop(struct srv_selfcheck *selfcheck)
{
    if (!selfcheck)
        return;
    atomic_store(&selfcheck->stop, true);
    ticker_stop(selfcheck->ticker);
    free(selfcheck);
}
