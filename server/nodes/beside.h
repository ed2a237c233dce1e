/* What a node sees of the others: who lives and who is gone, by its own clock alone, so that no wall clock
 * that is put on or back makes a living node look gone. The lease's thread. */
#ifndef RUMMYD_SERVER_NODES_BESIDE_H
#define RUMMYD_SERVER_NODES_BESIDE_H

#include "db/lease.h"

struct srv_beside {
    struct {
        char node[64];
        int64_t renewals, since_ms; /* seen unchanged since then */
    } seen[DB_LEASE_NODES_MAX];
    int n;
    int64_t looked_ms, lease_ms;
};

/* What the database has of the others now (clock_boot_ms). Whoever could not look for a while knows nothing
 * of the time between: everybody has a whole lease from now on. */
void srv_beside_look(struct srv_beside *beside, const struct db_node_beside *nodes, int n, int64_t now_ms,
                     int64_t lease_ms);
/* It was silent for a whole lease while this node looked on. nodes[i] of the last look. */
bool srv_beside_gone(const struct srv_beside *beside, int i);
/* How many live. */
int srv_beside_living(const struct srv_beside *beside, const struct db_node_beside *nodes);

#endif
