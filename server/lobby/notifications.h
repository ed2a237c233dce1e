/* Notifications in the lobby. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_NOTIFICATIONS_H
#define RUMMYD_SERVER_LOBBY_NOTIFICATIONS_H

#include "server/lobby/lobby_in.h"

/* Polls for new notifications of the players here. */
void srv_lobby_poll_notifications(struct srv_lobby *lobby);

#endif
