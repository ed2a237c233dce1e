/* Whether a node fits the database and the nodes beside it: asked at its start. Main thread. */
#ifndef RUMMYD_SERVER_NODES_FIT_H
#define RUMMYD_SERVER_NODES_FIT_H

#include "db/pg.h"
#include "server/config.h"

enum {
    SRV_CLOCK_APART_MS_MAX =
        1000,                /* of the clocks of this machine and PostgreSQL; more: no start, not ready */
    SRV_CLOCK_WARN_MS = 500, /* from here on the log warns */
    SRV_CLOCK_ROUND_MS_MAX = 500, /* of an answer that took longer nobody knows when it was given */
};

enum srv_clock { SRV_CLOCK_FITS, SRV_CLOCK_DRIFTS, SRV_CLOCK_OFF };

/* Its wall clock is the database's, no living node has its ws_url, all are of one major version. Waits for a
 * node in the way that may have died a moment ago. false and one sentence in error. */
bool srv_node_fits(struct db_conn *conn, const struct srv_config *config, char error[SRV_ERROR_MAX]);
/* How far our clock is ahead of the database's, which said there_ms to what we asked at before_ms and had
 * answered took_ms later. */
int64_t srv_clock_apart(int64_t before_ms, int64_t took_ms, int64_t there_ms);
enum srv_clock srv_clock_is(int64_t apart_ms);
/* "1.4.2" and "1.9.0" play together, "1.4.2" and "2.0.0" do not; before the first release nor do "0.1.9" and
 * "0.2.0". */
bool srv_versions_fit(const char *one, const char *other);

#endif
