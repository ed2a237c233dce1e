/* The connections of a loop. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_CONNECTIONS_H
#define RUMMYD_SERVER_HTTP_CONNECTIONS_H

#include "server/http/loop.h"

/* Whether the daemon may accept another connection from this peer. */
enum MHD_Result srv_http_loop_admits(void *loop, const struct sockaddr *peer, socklen_t len);
/* Called when a connection begins or ends. */
void srv_http_on_connection(void *loop, struct MHD_Connection *connection, void **conn,
                            enum MHD_ConnectionNotificationCode how);

#endif
