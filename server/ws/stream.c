/* Event streams; see stream.h. */
#include "server/ws/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/thread.h"
#include "server/edge/answer.h"
#include "server/operations/metrics.h"
#include "server/ws/outbox.h"
#include "server/ws/sockets.h"
#include "wire/frames.h"

enum { HEAD_OUT_MAX = 512 };

struct stream {
    struct srv_socket socket; /* first, because a socket without a wsi is cast to its stream */
    ev_io readable, writable;
    struct srv_ws_pending *pending; /* until the ticket is accepted */
    bool begun;                     /* the head is sent or in the outbox */
    char origin[];                  /* origin allowed to read the stream; "": any client */
};

static struct stream *stream_of(struct srv_socket *socket)
{
    ASSERT(!socket->wsi);
    return (struct stream *)socket;
}

/* ---- Output ---- */
static size_t write_head(const struct stream *stream, char out[HEAD_OUT_MAX])
{
    int n = snprintf(out, HEAD_OUT_MAX,
                     "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                     "X-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n"
                     "Vary: Origin\r\n%s%s%s\r\nretry: %d\n\n",
                     stream->origin[0] ? "Access-Control-Allow-Origin: " : "", stream->origin,
                     stream->origin[0] ? "\r\n" : "", SRV_WS_STREAM_RETRY_MS);
    ASSERT(n > 0 && n < HEAD_OUT_MAX);
    return (size_t)n;
}

/* Writes the response if the stream is refused. */
static size_t write_refusal(const struct stream *stream, int close_code, char out[SRV_ANSWER_MAX])
{
    const enum api_code code = close_code == WIRE_CLOSE_BAD_TICKET      ? API_BAD_TICKET
                               : close_code == WIRE_CLOSE_FORBIDDEN     ? API_ACCOUNT_BANNED
                               : close_code == WIRE_CLOSE_SESSION_ENDED ? API_SESSION_EXPIRED
                                                                        : API_BUSY;
    return srv_answer_write(&(struct srv_refusal){.code = code}, stream->origin, out);
}

bool srv_ws_stream_put(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len)
{
    struct stream *stream = stream_of(socket);
    char head[HEAD_OUT_MAX], refusal[SRV_ANSWER_MAX], code[64];
    size_t head_n = 0;
    int close_code = opcode == WS_CLOSE ? (unsigned char)text[0] << 8 | (unsigned char)text[1] : 0;
    if (!stream->begun && opcode == WS_CLOSE) {
        head_n = write_refusal(stream, close_code, refusal);
        return srv_ws_outbox_put(socket, (struct srv_ws_piece[]){{refusal, head_n}}, 1);
    }
    if (!stream->begun && opcode == WS_PING) /* the ticket is still being checked */
        return true;
    if (!stream->begun)
        head_n = write_head(stream, head);
    stream->begun = true;
    if (opcode == WS_PING)
        return srv_ws_outbox_put(socket, (struct srv_ws_piece[]){{":\n\n", 3}}, 1);
    if (opcode == WS_CLOSE) {
        int n = snprintf(code, sizeof(code), "event: close\ndata: {\"code\":%d}\n\n", close_code);
        return srv_ws_outbox_put(socket, (struct srv_ws_piece[]){{code, (size_t)n}}, 1);
    }
    ASSERT(opcode == WS_TEXT && !memchr(text, '\n', len)); /* our JSON is a single line */
    return srv_ws_outbox_put(
        socket, (struct srv_ws_piece[]){{head, head_n}, {"data: ", 6}, {text, len}, {"\n\n", 2}}, 4);
}

/* ---- Begin and end ---- */
static void gone(struct stream *stream)
{
    struct srv_socket *socket = &stream->socket;
    struct ev_loop *loop = socket->ws->acceptor.loop;
    ev_io_stop(loop, &stream->readable);
    ev_io_stop(loop, &stream->writable);
    srv_ws_closed(socket->ws, socket);
    srv_ws_stream_admit(socket);
    srv_metric_add(METRIC_EVENT_STREAMS, -1);
    (void)close(socket->fd);
    free(stream);
}

/* Call after output; all: the kernel has accepted all of it. Waits for the descriptor if not. A closed
 * stream ends after its last byte. */
static void written(struct srv_socket *socket, bool all)
{
    struct stream *stream = stream_of(socket);
    struct ev_loop *loop = socket->ws->acceptor.loop;
    if (!all) {
        ev_io_start(loop, &stream->writable);
        return;
    }
    ev_io_stop(loop, &stream->writable);
    if (socket->close_code != 0)
        gone(stream);
}

/* Output that the kernel does not accept remains in the outbox. */
bool srv_ws_stream_write(struct srv_socket *socket)
{
    if (socket->out_n == 0)
        return true;
    ssize_t n = srv_ws_outbox_send(socket);
    bool all = n == (ssize_t)socket->out_n;
    if (n < 0 || all) {
        srv_ws_outbox_drop(socket);
    } else {
        socket->out_n -= (uint32_t)n;
        memmove(socket->out + LWS_PRE, socket->out + LWS_PRE + n, socket->out_n);
    }
    if (n >= 0)
        written(socket, all);
    return n >= 0;
}

/* The client has sent its whole request, so further input is the end of the connection or a violation. */
static void on_readable(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    gone(io->data);
}

static void on_writable(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    struct stream *stream = io->data;
    if (!srv_ws_stream_write(&stream->socket))
        gone(stream);
}

void srv_ws_stream_end(struct srv_socket *socket)
{
    (void)shutdown(socket->fd, SHUT_RDWR);
}

void srv_ws_stream_admit(struct srv_socket *socket)
{
    struct stream *stream = stream_of(socket);
    if (stream->pending)
        srv_ws_pending_leave(stream->pending);
    stream->pending = NULL;
}

void srv_ws_stream_free(struct srv_socket *socket)
{
    gone(stream_of(socket));
}

/* Makes the kernel detect an unreachable reader. Pings cannot, because the client never answers them. */
static void watch(struct stream *stream, int fd)
{
    struct srv_ws *ws = stream->socket.ws;
    unsigned int most_ms = 2000U * (unsigned int)ws->config.ping_s;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &most_ms, sizeof(most_ms));
    ev_io_init(&stream->readable, on_readable, fd, EV_READ);
    ev_io_init(&stream->writable, on_writable, fd, EV_WRITE);
    stream->readable.data = stream->writable.data = stream;
    ev_io_start(ws->acceptor.loop, &stream->readable);
}

/* NULL: out of memory. */
static struct stream *new_stream(struct srv_ws *ws, const char *origin)
{
    size_t size = sizeof(struct stream) + strlen(origin) + 1;
    struct stream *stream = aligned_alloc(WS_LINE, (size + WS_LINE - 1) / WS_LINE * WS_LINE);
    if (!stream)
        return NULL;
    memset(stream, 0, size);
    memcpy(stream->origin, origin, strlen(origin) + 1);
    stream->socket.ws = ws;
    stream->socket.since = -1;
    return stream;
}

void srv_ws_stream_begin(struct srv_ws *ws, struct srv_ws_pending *pending)
{
    const struct srv_ws_request *request = &pending->request;
    ASSERT(thread_is(THREAD_HUB));
    struct stream *stream = new_stream(ws, request->origin);
    if (!stream) {
        srv_answer_code(pending->fd, API_BUSY);
        (void)close(pending->fd);
        srv_ws_pending_leave(pending);
        return;
    }
    memcpy(stream->socket.ticket, request->ticket, sizeof(stream->socket.ticket));
    stream->pending = pending;
    stream->socket.fd = pending->fd;
    watch(stream, pending->fd);
    srv_metric_add(METRIC_EVENT_STREAMS, 1);
    srv_ws_opened(ws, &stream->socket);
}
