/* Determines which nodes are running and which have failed; see peers.h. */
#include "server/nodes/peers.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>

static int64_t silent_since(const struct srv_peers *before, const struct db_peer *node, int64_t now_ms)
{
    bool watched = now_ms - before->read_ms <= before->lease_ms * 2 / 3;
    for (int i = 0; watched && i < before->n; i++)
        if (strcmp(before->seen[i].node, node->node) == 0 && before->seen[i].renewals == node->renewals)
            return before->seen[i].since_ms;
    return now_ms;
}

void srv_peers_update(struct srv_peers *peers, const struct db_peer *nodes, int n, int64_t now_ms,
                      int64_t lease_ms)
{
    static struct srv_peers before; /* only one thread calls this */
    ASSERT(n >= 0 && n <= DB_LEASE_NODES_MAX && lease_ms > 0 && now_ms >= peers->read_ms);
    before.n = peers->n;
    before.read_ms = peers->read_ms;
    before.lease_ms = lease_ms;
    memcpy(before.seen, peers->seen, (size_t)peers->n * sizeof(before.seen[0]));
    peers->n = n;
    peers->read_ms = now_ms;
    peers->lease_ms = lease_ms;
    for (int i = 0; i < n; i++) {
        (void)snprintf(peers->seen[i].node, sizeof(peers->seen[i].node), "%s", nodes[i].node);
        peers->seen[i].renewals = nodes[i].renewals;
        peers->seen[i].since_ms = silent_since(&before, &nodes[i], now_ms);
    }
}

bool srv_peers_gone(const struct srv_peers *peers, int i)
{
    ASSERT(i >= 0 && i < peers->n);
    return peers->read_ms - peers->seen[i].since_ms >= peers->lease_ms;
}

int srv_peers_running(const struct srv_peers *peers, const struct db_peer *nodes)
{
    int running = 0;
    for (int i = 0; i < peers->n; i++)
        running += nodes[i].lives && !srv_peers_gone(peers, i);
    return running;
}
