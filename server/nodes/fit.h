/* Whether a node fits the database and the nodes beside it: asked at its start. Main thread. */
#ifndef RUMMYD_SERVER_NODES_FIT_H
#define RUMMYD_SERVER_NODES_FIT_H

#include "db/pg.h"
#include "server/config.h"

/* Its wall clock is the database's, no living node has its ws_url, all are of one major version. Waits for a
 * node in the way that may have died a moment ago. false and one sentence in error. */
bool srv_node_fits(struct db_conn *conn, const struct srv_config *config, char error[SRV_ERROR_MAX]);
/* "1.4.2" and "1.9.0" play together, "1.4.2" and "2.0.0" do not; before the first release nor do "0.1.9" and
 * "0.2.0". */
bool srv_versions_fit(const char *one, const char *other);

#endif
