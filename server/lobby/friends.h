/* Friends in the lobby. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_FRIENDS_H
#define RUMMYD_SERVER_LOBBY_FRIENDS_H

#include "server/lobby/lobby_in.h"

/* Polls which friends have joined or left. */
void srv_lobby_poll_friends(struct srv_lobby *lobby);

#endif
