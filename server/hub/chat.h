/* The path of a chat message from a seat through the database to the table. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_CHAT_H
#define RUMMYD_SERVER_HUB_CHAT_H

#include "server/hub/hub_in.h"
#include "server/ws/frame.h"

/* Handles a chat or emote frame of a socket at a table. */
void srv_chat(struct srv_hub *hub, struct srv_socket *socket, const struct srv_frame *frame);

#endif
