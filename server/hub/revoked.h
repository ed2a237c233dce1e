/* The sockets and seats affected by bans and ended sessions. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_REVOKED_H
#define RUMMYD_SERVER_HUB_REVOKED_H

#include "server/hub/hub_in.h"

/* The close code for a socket of this player and session, or 0. */
int srv_hub_revoked(const struct srv_hub *hub, int64_t player_id, int64_t session_id);
/* Leaves the table on behalf of banned players who play there. */
void srv_hub_leave_banned(const struct srv_hub *hub, struct tab_table *table);
/* The seats of banned players, as bits. */
uint8_t srv_hub_banned_seats(const struct srv_hub *hub, const struct tab_table *table);

#endif
