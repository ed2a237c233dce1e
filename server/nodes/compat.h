/* Startup checks: whether this node is compatible with the database and the other nodes. Main thread. */
#ifndef RUMMYD_SERVER_NODES_COMPAT_H
#define RUMMYD_SERVER_NODES_COMPAT_H

#include "db/pg.h"
#include "server/config.h"

enum {
    SRV_CLOCK_APART_MS_MAX =
        1000, /* difference between this machine's clock and PostgreSQL's; above it: no start, not ready */
    SRV_CLOCK_WARN_MS = 500,      /* above it the log warns */
    SRV_CLOCK_ROUND_MS_MAX = 500, /* with a longer round trip the time is too uncertain */
};

enum srv_clock { SRV_CLOCK_OK, SRV_CLOCK_DRIFTS, SRV_CLOCK_OFF };

/* Checks that its wall clock matches the database's, no running node has the same ws_url, and all have the
 * same major version. Waits if a conflicting node may just have died. false and one sentence in error. */
bool srv_node_compatible(struct db_conn *conn, const struct srv_config *config, char error[SRV_ERROR_MAX]);
/* How far our clock is ahead of the database's, which returned there_ms to a query sent at before_ms and
 * answered after took_ms. */
int64_t srv_clock_offset(int64_t before_ms, int64_t took_ms, int64_t there_ms);
enum srv_clock srv_clock_state(int64_t apart_ms);
/* "1.4.2" and "1.9.0" are compatible, "1.4.2" and "2.0.0" are not; before the first release, neither are
 * "0.1.9" and "0.2.0". */
bool srv_versions_compatible(const char *one, const char *other);

#endif
