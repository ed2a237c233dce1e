/* The players in this lobby. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_MEMBERS_H
#define RUMMYD_SERVER_LOBBY_MEMBERS_H

#include "server/lobby/lobby_in.h"

/* The player's member; NULL: they are not here. */
struct srv_lobby_member *srv_lobby_find(const struct srv_lobby *lobby, int64_t player_id);
/* Ids of the players here, at most LOBBY_ASK_MAX; valid until the next call. */
const int64_t *srv_lobby_players(const struct srv_lobby *lobby, size_t *n);
/* Add a member, whose player must not be here yet, and remove it. */
void srv_lobby_link(struct srv_lobby *lobby, struct srv_lobby_member *member);
void srv_lobby_unlink(struct srv_lobby *lobby, struct srv_lobby_member *member);

#endif
