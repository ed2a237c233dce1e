/* Output to sockets: one outbox each, written once per loop iteration; see ws.h. Frames are assembled here (a
 * server's frame is a header of 2 to 10 bytes and the text) and sent as raw bytes, so that all output of one
 * iteration to a socket is one system call. Hub thread. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/bug.h"
#include "base/thread.h"
#include "server/metrics.h"
#include "server/ws/stream.h"
#include "server/ws/ws_in.h"
#include "wire/frames.h"

enum { OUT_FIRST = 1024, HEADER_MAX = 10 };

static void mark_dirty(struct srv_socket *socket)
{
    ASSERT(socket->open);
    if (socket->dirty)
        return;
    socket->dirty = true;
    socket->dirty_next = socket->ws->dirty;
    socket->ws->dirty = socket;
}

static void drop_out(struct srv_socket *socket)
{
    struct srv_ws *ws = socket->ws;
    ASSERT(ws->out_spare_n <= WS_OUT_SPARE_MAX && (socket->out != NULL) == (socket->out_cap > 0));
    if (socket->out_cap == OUT_FIRST && ws->out_spare_n < WS_OUT_SPARE_MAX)
        ws->out_spare[ws->out_spare_n++] = socket->out;
    else
        free(socket->out);
    socket->out = NULL;
    socket->out_n = socket->out_cap = 0;
}

static char *grow_out(struct srv_socket *socket, size_t cap)
{
    struct srv_ws *ws = socket->ws;
    if (cap == OUT_FIRST && ws->out_spare_n > 0)
        return ws->out_spare[--ws->out_spare_n];
    return realloc(socket->out, cap);
}

/* Space for n more bytes, or NULL: the reader is too slow. */
static char *out_room(struct srv_socket *socket, size_t n)
{
    size_t need = socket->out_n + n;
    if (need > SRV_WS_OUT_MAX)
        return NULL;
    if (LWS_PRE + need > socket->out_cap) {
        size_t cap = socket->out_cap ? socket->out_cap : OUT_FIRST;
        while (cap < LWS_PRE + need)
            cap *= 2;
        char *grown = grow_out(socket, cap);
        if (!grown)
            return NULL;
        socket->out = grown;
        socket->out_cap = (uint32_t)cap;
    }
    ASSERT(LWS_PRE + need <= socket->out_cap);
    return socket->out + LWS_PRE + socket->out_n;
}

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

bool srv_ws_out_pieces(struct srv_socket *socket, const struct srv_ws_piece *pieces, size_t n)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        len += pieces[i].n;
    char *room = out_room(socket, len);
    if (!room)
        return false;
    for (size_t i = 0; i < n; i++) {
        memcpy(room, pieces[i].bytes, pieces[i].n);
        room += pieces[i].n;
    }
    socket->out_n += (uint32_t)len;
    ASSERT(socket->out_n <= SRV_WS_OUT_MAX);
    mark_dirty(socket);
    return true;
}

static bool put_frame(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len)
{
    char header[HEADER_MAX];
    if (!socket->wsi)
        return srv_ws_stream_put(socket, opcode, text, len);
    const struct srv_ws_piece pieces[] = {{header, frame_header(header, opcode, len)}, {text, len}};
    return srv_ws_out_pieces(socket, pieces, ARRAY_LEN(pieces));
}

void srv_ws_out_queue(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len)
{
    if (!socket->open || socket->close_code != 0 || put_frame(socket, opcode, text, len))
        return;
    srv_metric_add(METRIC_WS_SLOW, 1);
    drop_out(socket);
    if (socket->wsi) {
        srv_ws_close(socket, WIRE_CLOSE_TOO_SLOW);
        return;
    }
    /* A stream may have sent half an event: anything appended would be garbled. */
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

/* How much of the outbox the kernel accepted; -1: the connection is broken. */
static ssize_t send_now(const struct srv_socket *socket)
{
    ssize_t n = send(socket->fd, socket->out + LWS_PRE, socket->out_n, MSG_DONTWAIT | MSG_NOSIGNAL);
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : n;
}

/* What the kernel does not accept stays in the outbox. */
static bool write_stream(struct srv_socket *socket)
{
    ssize_t n = send_now(socket);
    bool all = n == (ssize_t)socket->out_n;
    if (n < 0 || all) {
        drop_out(socket);
    } else {
        socket->out_n -= (uint32_t)n;
        memmove(socket->out + LWS_PRE, socket->out + LWS_PRE + n, socket->out_n);
    }
    if (n >= 0)
        srv_ws_stream_written(socket, all);
    return n >= 0;
}

/* Only what is not accepted at once goes through the library: its own path to the same `send` reads a
 * kilobyte of its struct, for each viewer of each move. */
bool srv_ws_out_write(struct srv_socket *socket)
{
    if (socket->out_n == 0)
        return true;
    if (!socket->wsi)
        return write_stream(socket);
    if (lws_partial_buffered(socket->wsi)) {
        lws_callback_on_writable(socket->wsi);
        return true;
    }
    ssize_t n = send_now(socket);
    if (n >= 0 && n < (ssize_t)socket->out_n) /* LWS_WRITE_HTTP is the only kind that it sends unchanged. */
        n = lws_write(socket->wsi, (unsigned char *)socket->out + LWS_PRE + n, socket->out_n - (size_t)n,
                      LWS_WRITE_HTTP);
    drop_out(socket);
    return n >= 0;
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

/* The close frame is sent like any other; after that nothing is sent, and input is ignored until the peer has
 * closed as well. (libwebsockets resets the connection if there is unread input, and the peer never gets the
 * code.) */
void srv_ws_close(struct srv_socket *socket, int code)
{
    ASSERT(thread_is(THREAD_HUB) && code >= 1000 && code < 5000);
    if (socket->close_code != 0)
        return;
    const char payload[2] = {(char)(code >> 8), (char)code};
    (void)put_frame(socket, WS_CLOSE, payload, sizeof(payload));
    socket->close_code = (uint16_t)code;
    srv_ws_hold(socket, false);
    srv_ws_wheel_closing(socket);
}

bool srv_ws_behind(const struct srv_socket *socket)
{
    return socket->out_n > 0 || (socket->wsi && lws_partial_buffered(socket->wsi));
}

void srv_ws_out_forget(struct srv_socket *socket)
{
    for (struct srv_socket **at = &socket->ws->dirty; socket->dirty && *at; at = &(*at)->dirty_next)
        if (*at == socket) {
            *at = socket->dirty_next;
            break;
        }
    drop_out(socket);
}

void srv_ws_out_free(struct srv_ws *ws)
{
    while (ws->out_spare_n > 0)
        free(ws->out_spare[--ws->out_spare_n]);
}
