/* Applies new bans and ended sessions. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_APPLY_REVOKED_H
#define RUMMYD_SERVER_HUB_APPLY_REVOKED_H

#include "server/hub/hub_in.h"

/* Closes the sockets of players and sessions added to the lists since the last call; checks the seats of
 * banned players at waiting tables, and makes them leave other tables. */
void srv_hub_apply_revoked(struct srv_hub *hub);

#endif
