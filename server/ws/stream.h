/* Server-sent events (WHATWG HTML, 9.2): the lobby for clients that cannot use a WebSocket. Outside this
 * folder a stream is a normal socket of ws.h. It has no wsi, receives nothing after its request, and sends
 * its frames as events. libwebsockets does not handle streams, because that would take ten times the
 * memory. Hub thread. */
#ifndef RUMMYD_SERVER_WS_STREAM_H
#define RUMMYD_SERVER_WS_STREAM_H

#include "server/ws/ws_in.h"

enum {
    SRV_WS_STREAM_RETRY_MS = 2000, /* how long a browser waits before it reconnects */
};

/* Takes over a pending connection with a valid request (request.h) that has been read from the
 * descriptor. */
void srv_ws_stream_begin(struct srv_ws *ws, struct srv_ws_pending *pending);
/* Puts a frame into the outbox as an event. false: there is no space. */
bool srv_ws_stream_put(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len);
/* Passes queued output to the kernel; output that it does not accept remains in the outbox. A closed stream
 * ends after its last byte. false: the connection is broken. */
bool srv_ws_stream_write(struct srv_socket *socket);
/* Ends the stream without a close event, in the next loop iteration. */
void srv_ws_stream_end(struct srv_socket *socket);
/* Call when the ticket was accepted. */
void srv_ws_stream_admit(struct srv_socket *socket);
/* For shutdown. Closes and frees the stream at once. */
void srv_ws_stream_free(struct srv_socket *socket);

#endif
