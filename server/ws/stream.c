/* Streams of events; see stream.h. */
#include "server/ws/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/thread.h"
#include "server/head.h"
#include "server/metrics.h"
#include "server/origin.h"
#include "server/security_log.h"
#include "wire/frames.h"

#define TARGET "/ws/events"

enum { ORIGIN_MAX = 256, FORWARDED_MAX = 512, HEAD_OUT_MAX = 512 };

struct stream {
    struct srv_socket socket; /* first: a socket without a wsi is one of these */
    ev_io readable, writable;
    struct srv_ws_visit *visit; /* until its ticket was good */
    bool begun;                 /* its head is out, or in the outbox */
    char origin[];              /* that may read it; "": any that can */
};

static struct stream *stream_of(struct srv_socket *socket)
{
    ASSERT(!socket->wsi);
    return (struct stream *)socket;
}

/* ---- The request ---- */
/* The first line without method and version. */
static size_t target_of(const char *head, size_t n, const char **target)
{
    static const char get[] = "GET ";
    if (n < sizeof(get) || memcmp(head, get, sizeof(get) - 1) != 0)
        return 0;
    *target = head + sizeof(get) - 1;
    const char *blank = memchr(*target, ' ', n - (sizeof(get) - 1));
    return blank ? (size_t)(blank - *target) : 0;
}

bool srv_ws_stream_asked(const char *head, size_t n)
{
    static const char wanted[] = TARGET;
    const char *target;
    size_t len = target_of(head, n, &target), path = sizeof(wanted) - 1;
    return len >= path && memcmp(target, wanted, path) == 0 && (len == path || target[path] == '?');
}

/* The value of a header; "" when it is not there. false: it is longer than there is room. The head was
 * checked by server/head.c: a line ends with CR LF, no name is followed by a blank, none of these stands
 * there twice. */
static bool header_of(const char *head, size_t n, const char *name, char *out, size_t cap)
{
    size_t name_n = strlen(name);
    out[0] = '\0';
    for (const char *line = head, *end = head + n; line < end;) {
        const char *lf = memchr(line, '\n', (size_t)(end - line));
        if (!lf)
            return true;
        size_t len = (size_t)(lf - line) - 1;
        if (len > name_n && line[name_n] == ':' && strncasecmp(line, name, name_n) == 0) {
            const char *value = line + name_n + 1;
            const char *last = lf - 1;
            while (value < last && (*value == ' ' || *value == '\t'))
                value++;
            while (last > value && (last[-1] == ' ' || last[-1] == '\t'))
                last--;
            if ((size_t)(last - value) >= cap)
                return false;
            memcpy(out, value, (size_t)(last - value));
            out[last - value] = '\0';
            return true;
        }
        line = lf + 1;
    }
    return true;
}

/* The one parameter is the ticket. */
static bool ticket_of(const char *head, size_t n, char *ticket, size_t cap)
{
    static const char parameter[] = TARGET "?ticket=";
    const char *target;
    size_t len = target_of(head, n, &target), before = sizeof(parameter) - 1;
    if (len <= before || memcmp(target, parameter, before) != 0 || len - before >= cap)
        return false;
    memcpy(ticket, target + before, len - before);
    ticket[len - before] = '\0';
    return strcspn(ticket, "&%+") == len - before;
}

/* ---- Out ---- */
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

/* The answer to one who gets no stream. */
static size_t write_refusal(const struct stream *stream, int close_code, char out[HEAD_OUT_MAX])
{
    const char *status = close_code == WIRE_CLOSE_BAD_TICKET  ? "401 Unauthorized"
                         : close_code == WIRE_CLOSE_FORBIDDEN ? "403 Forbidden"
                         : close_code == WIRE_CLOSE_SESSION_ENDED
                             ? "401 Unauthorized"
                             : "503 Service Unavailable\r\nRetry-After: 2";
    int n = snprintf(out, HEAD_OUT_MAX,
                     "HTTP/1.1 %s\r\nCache-Control: no-store\r\nConnection: close\r\nVary: Origin\r\n%s%s%s"
                     "Content-Length: 0\r\n\r\n",
                     status, stream->origin[0] ? "Access-Control-Allow-Origin: " : "", stream->origin,
                     stream->origin[0] ? "\r\n" : "");
    ASSERT(n > 0 && n < HEAD_OUT_MAX);
    return (size_t)n;
}

bool srv_ws_stream_put(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len)
{
    struct stream *stream = stream_of(socket);
    char head[HEAD_OUT_MAX], code[64];
    size_t head_n = 0;
    int close_code = opcode == WS_CLOSE ? (unsigned char)text[0] << 8 | (unsigned char)text[1] : 0;
    if (!stream->begun && opcode == WS_CLOSE) {
        head_n = write_refusal(stream, close_code, head);
        return srv_ws_out_pieces(socket, (struct srv_ws_piece[]){{head, head_n}}, 1);
    }
    if (!stream->begun && opcode == WS_PING) /* its ticket is still being looked at */
        return true;
    if (!stream->begun)
        head_n = write_head(stream, head);
    stream->begun = true;
    if (opcode == WS_PING)
        return srv_ws_out_pieces(socket, (struct srv_ws_piece[]){{":\n\n", 3}}, 1);
    if (opcode == WS_CLOSE) {
        int n = snprintf(code, sizeof(code), "event: close\ndata: {\"code\":%d}\n\n", close_code);
        return srv_ws_out_pieces(socket, (struct srv_ws_piece[]){{code, (size_t)n}}, 1);
    }
    ASSERT(opcode == WS_TEXT && !memchr(text, '\n', len)); /* JSON of ours: one line */
    return srv_ws_out_pieces(
        socket, (struct srv_ws_piece[]){{head, head_n}, {"data: ", 6}, {text, len}, {"\n\n", 2}}, 4);
}

/* ---- Coming and going ---- */
static void gone(struct stream *stream)
{
    struct srv_socket *socket = &stream->socket;
    struct ev_loop *loop = socket->ws->door.loop;
    ev_io_stop(loop, &stream->readable);
    ev_io_stop(loop, &stream->writable);
    srv_ws_closed(socket->ws, socket);
    srv_ws_stream_let_in(socket);
    srv_metric_add(METRIC_EVENT_STREAMS, -1);
    (void)close(socket->fd);
    free(stream);
}

void srv_ws_stream_written(struct srv_socket *socket, bool all)
{
    struct stream *stream = stream_of(socket);
    struct ev_loop *loop = socket->ws->door.loop;
    if (!all) {
        ev_io_start(loop, &stream->writable);
        return;
    }
    ev_io_stop(loop, &stream->writable);
    if (socket->close_code != 0)
        gone(stream);
}

/* It has said all it had to say: what comes now is the end, or more than belongs here. */
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
    if (!srv_ws_out_write(&stream->socket))
        gone(stream);
}

void srv_ws_stream_end(struct srv_socket *socket)
{
    (void)shutdown(socket->fd, SHUT_RDWR);
}

void srv_ws_stream_let_in(struct srv_socket *socket)
{
    struct stream *stream = stream_of(socket);
    if (stream->visit)
        srv_ws_door_leave(stream->visit);
    stream->visit = NULL;
}

void srv_ws_stream_free(struct srv_socket *socket)
{
    gone(stream_of(socket));
}

/* A reader that is gone without a word is noticed by the kernel, which pings cannot: nothing comes back. */
static void watch(struct stream *stream, int fd)
{
    struct srv_ws *ws = stream->socket.ws;
    unsigned int most_ms = 2000U * (unsigned int)ws->config.ping_s;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &most_ms, sizeof(most_ms));
    ev_io_init(&stream->readable, on_readable, fd, EV_READ);
    ev_io_init(&stream->writable, on_writable, fd, EV_WRITE);
    stream->readable.data = stream->writable.data = stream;
    ev_io_start(ws->door.loop, &stream->readable);
}

/* NULL: memory is short. */
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

/* NULL, or the status that refuses it. */
static const char *filter(struct srv_ws *ws, struct srv_ws_visit *visit, const char *head, size_t n,
                          char *origin, char *ticket, size_t ticket_cap)
{
    char forwarded_for[FORWARDED_MAX];
    if (ws->sockets_n >= ws->config.socket_max) {
        srv_metric_add(METRIC_WS_REFUSED_FULL, 1);
        return "503 Service Unavailable";
    }
    if (!header_of(head, n, "X-Forwarded-For", forwarded_for, sizeof(forwarded_for)) ||
        !header_of(head, n, "Origin", origin, ORIGIN_MAX))
        return "400 Bad Request";
    if (origin[0] && !srv_origin_allowed(ws->origins, ws->config.dev, origin)) {
        srv_security_log(&(struct srv_security){.what = API_SECURITY_ORIGIN_REFUSED});
        return "403 Forbidden";
    }
    if (!ticket_of(head, n, ticket, ticket_cap))
        return "400 Bad Request";
    return srv_ws_door_address(visit, forwarded_for);
}

void srv_ws_stream_begin(struct srv_ws *ws, struct srv_ws_visit *visit, const char *head, size_t n)
{
    char origin[ORIGIN_MAX], text[160];
    struct srv_socket parts = {0};
    ASSERT(thread_is(THREAD_HUB) && srv_ws_stream_asked(head, n));
    const char *status = filter(ws, visit, head, n, origin, parts.ticket, sizeof(parts.ticket));
    struct stream *stream = status ? NULL : new_stream(ws, origin);
    if (!stream) {
        int len =
            snprintf(text, sizeof(text), "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                     status ? status : "503 Service Unavailable");
        (void)send(visit->fd, text, (size_t)len, MSG_NOSIGNAL);
        (void)close(visit->fd);
        srv_ws_door_leave(visit);
        return;
    }
    memcpy(stream->socket.ticket, parts.ticket, sizeof(parts.ticket));
    stream->visit = visit;
    stream->socket.fd = visit->fd;
    watch(stream, visit->fd);
    srv_metric_add(METRIC_EVENT_STREAMS, 1);
    srv_ws_opened(ws, &stream->socket);
}
