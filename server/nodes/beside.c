/* Which nodes are running and which are gone; see beside.h. */
#include "server/nodes/beside.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>

static int64_t silent_since(const struct srv_beside *before, const struct db_node_beside *node,
                            int64_t now_ms)
{
    bool looked_on = now_ms - before->looked_ms <= before->lease_ms * 2 / 3;
    for (int i = 0; looked_on && i < before->n; i++)
        if (strcmp(before->seen[i].node, node->node) == 0 && before->seen[i].renewals == node->renewals)
            return before->seen[i].since_ms;
    return now_ms;
}

void srv_beside_look(struct srv_beside *beside, const struct db_node_beside *nodes, int n, int64_t now_ms,
                     int64_t lease_ms)
{
    static struct srv_beside before; /* only one thread calls this */
    ASSERT(n >= 0 && n <= DB_LEASE_NODES_MAX && lease_ms > 0 && now_ms >= beside->looked_ms);
    before.n = beside->n;
    before.looked_ms = beside->looked_ms;
    before.lease_ms = lease_ms;
    memcpy(before.seen, beside->seen, (size_t)beside->n * sizeof(before.seen[0]));
    beside->n = n;
    beside->looked_ms = now_ms;
    beside->lease_ms = lease_ms;
    for (int i = 0; i < n; i++) {
        (void)snprintf(beside->seen[i].node, sizeof(beside->seen[i].node), "%s", nodes[i].node);
        beside->seen[i].renewals = nodes[i].renewals;
        beside->seen[i].since_ms = silent_since(&before, &nodes[i], now_ms);
    }
}

bool srv_beside_gone(const struct srv_beside *beside, int i)
{
    ASSERT(i >= 0 && i < beside->n);
    return beside->looked_ms - beside->seen[i].since_ms >= beside->lease_ms;
}

int srv_beside_living(const struct srv_beside *beside, const struct db_node_beside *nodes)
{
    int living = 0;
    for (int i = 0; i < beside->n; i++)
        living += nodes[i].lives && !srv_beside_gone(beside, i);
    return living;
}
