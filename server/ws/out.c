/* Output to sockets: each has an outbox, which is written once per loop iteration; see out.h. Frames are
 * assembled here (a server's frame is a header of 2 to 10 bytes and the text) and sent as raw bytes, so
 * that all output to a socket in one iteration takes one system call. Hub thread. */
#include "server/ws/out.h"

#include "base/bug.h"
#include "base/thread.h"
#include "server/operations/metrics.h"
#include "server/ws/outbox.h"
#include "server/ws/sockets.h"
#include "server/ws/stream.h"
#include "server/ws/wheel.h"
#include "wire/frames.h"

enum { HEADER_MAX = 10 };

static size_t frame_header(char out[HEADER_MAX], uint8_t opcode, size_t len)
{
    ASSERT(opcode == WS_TEXT || opcode == WS_CLOSE || opcode == WS_PING);
    out[0] = (char)(0x80 | opcode);
    if (len < 126) {
        out[1] = (char)len;
        return 2;
    }
    ASSERT(len < 65536);
    out[1] = 126;
    out[2] = (char)(len >> 8);
    out[3] = (char)len;
    return 4;
}

static bool put_frame(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len)
{
    char header[HEADER_MAX];
    if (!socket->wsi)
        return srv_ws_stream_put(socket, opcode, text, len);
    const struct srv_ws_piece pieces[] = {{header, frame_header(header, opcode, len)}, {text, len}};
    return srv_ws_outbox_put(socket, pieces, ARRAY_LEN(pieces));
}

void srv_ws_out_queue(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len)
{
    if (!socket->open || socket->close_code != 0 || put_frame(socket, opcode, text, len))
        return;
    srv_metric_add(METRIC_WS_SLOW, 1);
    srv_ws_outbox_drop(socket);
    if (socket->wsi) {
        srv_ws_close(socket, WIRE_CLOSE_TOO_SLOW);
        return;
    }
    /* A stream may have sent only a part of an event, so nothing can be appended. */
    socket->close_code = WIRE_CLOSE_TOO_SLOW;
    srv_ws_wheel_closing(socket);
    srv_ws_stream_end(socket);
}

void srv_ws_send(struct srv_socket *const *sockets, size_t n, const char *text, size_t len)
{
    ASSERT(thread_is(THREAD_HUB) && len > 0);
    for (size_t i = 0; i < n; i++)
        srv_ws_out_queue(sockets[i], WS_TEXT, text, len);
    srv_metric_add(METRIC_WS_FRAMES_OUT, (int64_t)n);
}

/* Only bytes that the kernel does not accept at once go through the library, whose path to the same `send`
 * reads 1 kB of its struct, for each viewer of each move. */
bool srv_ws_out_write(struct srv_socket *socket)
{
    if (socket->out_n == 0)
        return true;
    if (!socket->wsi)
        return srv_ws_stream_write(socket);
    if (lws_partial_buffered(socket->wsi)) {
        lws_callback_on_writable(socket->wsi);
        return true;
    }
    ssize_t n = srv_ws_outbox_send(socket);
    if (n >= 0 && n < (ssize_t)socket->out_n) /* LWS_WRITE_HTTP is the only kind sent unchanged */
        n = lws_write(socket->wsi, (unsigned char *)socket->out + LWS_PRE + n, socket->out_n - (size_t)n,
                      LWS_WRITE_HTTP);
    srv_ws_outbox_drop(socket);
    return n >= 0;
}

void srv_ws_end(struct srv_socket *socket, enum pending_timeout why)
{
    if (!socket->wsi) {
        srv_ws_stream_end(socket);
        return;
    }
    lws_set_timeout(socket->wsi, why, LWS_TO_KILL_ASYNC);
    lws_cancel_service(socket->ws->context);
}

void srv_ws_flush(struct srv_ws *ws)
{
    ASSERT(thread_is(THREAD_HUB));
    struct srv_socket *socket = ws->dirty;
    ws->dirty = NULL;
    while (socket) {
        struct srv_socket *next = socket->dirty_next;
        socket->dirty = false;
        if (!srv_ws_out_write(socket))
            srv_ws_end(socket, PENDING_TIMEOUT_CLOSE_SEND);
        socket = next;
    }
}

/* Sends the close frame like any other frame. After it nothing is sent, and input is ignored until the peer
 * has closed as well. (libwebsockets would reset a connection with unread input, and the peer would never
 * get the code.) */
void srv_ws_close(struct srv_socket *socket, int code)
{
    ASSERT(thread_is(THREAD_HUB) && code >= 1000 && code < 5000);
    if (socket->close_code != 0)
        return;
    const char payload[2] = {(char)(code >> 8), (char)code};
    (void)put_frame(socket, WS_CLOSE, payload, sizeof(payload));
    socket->close_code = (uint16_t)code;
    srv_ws_release(socket);
    srv_ws_wheel_closing(socket);
}

bool srv_ws_behind(const struct srv_socket *socket)
{
    return socket->out_n > 0 || (socket->wsi && lws_partial_buffered(socket->wsi));
}
