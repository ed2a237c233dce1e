/* Announces to other nodes who is here. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_PEOPLE_H
#define RUMMYD_SERVER_LOBBY_PEOPLE_H

#include "server/lobby/lobby_in.h"

/* Announces it, if it is time. */
void srv_lobby_announce_people(struct srv_lobby *lobby);

#endif
