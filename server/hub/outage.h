/* Outages of the database or the lease. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_OUTAGE_H
#define RUMMYD_SERVER_HUB_OUTAGE_H

#include "server/hub/hub_in.h"

/* Checks whether the database is reachable and the lease is held. The loop calls this before it does
 * anything for a table. Ends the process if other nodes have this node's tables. */
void srv_hub_check_outage(struct srv_hub *hub);
/* Whether to close all sockets now, which happens each time the lease ends while other nodes are running.
 * Called at each check during an outage. dismissed: the sockets were closed, and the lease has not been
 * held since. */
bool srv_hub_dismisses(bool *dismissed, bool held, bool has_peers);

#endif
