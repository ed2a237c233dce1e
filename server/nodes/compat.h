/* Startup checks: whether this node is compatible with the database and the other nodes. Main thread. */
#ifndef RUMMYD_SERVER_NODES_COMPAT_H
#define RUMMYD_SERVER_NODES_COMPAT_H

#include "db/pg.h"
#include "server/config.h"

enum {
    SRV_CLOCK_APART_MS_MAX =
        1000,                /* maximum difference from PostgreSQL's clock for starting and for being ready */
    SRV_CLOCK_WARN_MS = 500, /* above it, the node logs a warning */
    SRV_CLOCK_ROUND_MS_MAX = 500, /* after a longer round trip, the time is too uncertain */
};

enum srv_clock { SRV_CLOCK_OK, SRV_CLOCK_DRIFTS, SRV_CLOCK_OFF };

/* Checks that this node's wall clock matches the database's, that no running node has the same ws_url, and
 * that the versions of all nodes are compatible. Waits if a conflicting node may just have failed. false:
 * error is one sentence. */
bool srv_node_compatible(struct db_conn *conn, const struct srv_config *config, char error[SRV_ERROR_MAX]);
/* How far this node's clock is ahead of the database's. The query was sent at before_ms and took
 * took_ms; the database returned there_ms. */
int64_t srv_clock_offset(int64_t before_ms, int64_t took_ms, int64_t there_ms);
enum srv_clock srv_clock_state(int64_t apart_ms);
/* "1.4.2" and "1.9.0" are compatible, "1.4.2" and "2.0.0" are not; before the first release, neither are
 * "0.1.9" and "0.2.0". */
bool srv_versions_compatible(const char *one, const char *other);

#endif
