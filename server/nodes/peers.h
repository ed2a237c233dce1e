/* A node's view of the others: which are running and which are gone, judged only by its own clock, so that
 * setting a wall clock never makes a running node look gone. The lease's thread. */
#ifndef RUMMYD_SERVER_NODES_PEERS_H
#define RUMMYD_SERVER_NODES_PEERS_H

#include "db/lease.h"

struct srv_peers {
    struct {
        char node[64];
        int64_t renewals, since_ms; /* last renewal count, and since when it has been unchanged */
    } seen[DB_LEASE_NODES_MAX];
    int n;
    int64_t read_ms, lease_ms;
};

/* Applies the database's current list of other nodes (clock_boot_ms). If this node could not read it for a
 * while, it knows nothing about that time: all others get a whole lease from now on. */
void srv_peers_update(struct srv_peers *peers, const struct db_peer *nodes, int n, int64_t now_ms,
                      int64_t lease_ms);
/* It has not renewed for a whole lease while this node was watching. nodes[i] of the last list. */
bool srv_peers_gone(const struct srv_peers *peers, int i);
/* How many are running. */
int srv_peers_running(const struct srv_peers *peers, const struct db_peer *nodes);

#endif
