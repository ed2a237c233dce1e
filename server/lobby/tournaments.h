/* Tournaments in the lobby. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_TOURNAMENTS_H
#define RUMMYD_SERVER_LOBBY_TOURNAMENTS_H

#include "server/lobby/lobby_in.h"

/* Polls which tournaments have changed, and notifies all clients. */
void srv_lobby_poll_tournaments(struct srv_lobby *lobby);

#endif
