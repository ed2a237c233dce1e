/* The machine, as the WebSocket front needs it. Used by srv_ws_new only, hub thread. */
#ifndef RUMMYD_SERVER_WS_HOST_H
#define RUMMYD_SERVER_WS_HOST_H

#include "server/ws/ws.h"

/* Sets the limit of open files, from which libwebsockets sizes its tables. */
void srv_ws_host_bound_descriptors(size_t socket_max);
/* false and one sentence in error: the address is none, or its port is taken. */
bool srv_ws_host_can_listen(const struct srv_ws_config *config, char *error, size_t error_cap);

#endif
