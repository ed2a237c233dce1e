/* Players in the lobby get no push messages. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_PUSH_PAUSE_H
#define RUMMYD_SERVER_LOBBY_PUSH_PAUSE_H

#include "server/lobby/lobby_in.h"

/* Pauses push to the devices of the players here. */
void srv_lobby_pause_push(struct srv_lobby *lobby);

#endif
