/* Announces the players in this lobby to other nodes. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_PEOPLE_H
#define RUMMYD_SERVER_LOBBY_PEOPLE_H

#include "server/lobby/lobby_in.h"

/* Announces the list if it is due. */
void srv_lobby_announce_people(struct srv_lobby *lobby);

#endif
