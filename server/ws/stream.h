/* Server-sent events (WHATWG HTML, 9.2): the lobby for those who cannot hold a WebSocket. A stream is a
 * socket of ws.h to everybody but the files of this folder; it has no wsi, says nothing after its request,
 * and its frames go out as events. It never becomes libwebsockets': that would cost it ten times the memory.
 * Hub thread. */
#ifndef RUMMYD_SERVER_WS_STREAM_H
#define RUMMYD_SERVER_WS_STREAM_H

#include "server/ws/ws_in.h"

enum {
    SRV_WS_STREAM_RETRY_MS = 2000, /* what a browser waits before it comes again */
};

/* Takes over the connection of a visit whose request is good (asked.h) and was read from the descriptor. */
void srv_ws_stream_begin(struct srv_ws *ws, struct srv_ws_visit *visit);
/* Puts a frame into the outbox as an event; false: there is no room. */
bool srv_ws_stream_put(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len);
/* The kernel has taken all that there was, or not all: what the stream waits for now. One that was closed is
 * gone with its last byte. */
void srv_ws_stream_written(struct srv_socket *socket, bool all);
/* Ends it without a word, behind the loop's next turn. */
void srv_ws_stream_end(struct srv_socket *socket);
/* Its ticket was good. */
void srv_ws_stream_let_in(struct srv_socket *socket);
/* At the end of the process: closes and frees it at once. */
void srv_ws_stream_free(struct srv_socket *socket);

#endif
