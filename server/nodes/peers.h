/* A node's view of the others: which are running and which have failed. Uses only this node's monotonic
 * clock, so that setting a wall clock never makes a running node seem failed. The lease's thread. */
#ifndef RUMMYD_SERVER_NODES_PEERS_H
#define RUMMYD_SERVER_NODES_PEERS_H

#include "db/lease.h"

struct srv_peers {
    struct {
        char node[64];
        int64_t renewals, since_ms; /* last renewal count, and when it last changed */
    } seen[DB_LEASE_NODES_MAX];
    int n;
    int64_t read_ms, lease_ms;
};

/* Applies the database's current list of other nodes; now_ms: clock_boot_ms. After a time in which this
 * node could not read the list, all other nodes get a full lease from now on. */
void srv_peers_update(struct srv_peers *peers, const struct db_peer *nodes, int n, int64_t now_ms,
                      int64_t lease_ms);
/* Whether nodes[i] of the last list has not renewed for a full lease while this node was polling. */
bool srv_peers_gone(const struct srv_peers *peers, int i);
/* Number of running nodes. */
int srv_peers_running(const struct srv_peers *peers, const struct db_peer *nodes);

#endif
