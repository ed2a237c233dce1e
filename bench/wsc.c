/* WebSocket client; see wsc.h. All sockets read through one shared buffer. A socket has a separate buffer
 * only while it holds part of a message. */
#include "bench/wsc.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/text.h"

/* The nonce and response of RFC 6455, section 1.3, because a load generator needs no random nonce. */
#define NONCE "dGhlIHNhbXBsZSBub25jZQ=="
#define NONCE_ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

enum {
    OP_CONT = 0,
    OP_TEXT = 1,
    OP_CLOSE = 8,
    OP_PING = 9,
    OP_PONG = 10,
    HEAD_MAX = 14,
    HANDSHAKE_MAX = 1024
};

struct wsc_totals wsc_totals;
static char inbox[2 * WSC_MESSAGE_MAX];

void wsc_init(struct wsc *ws)
{
    *ws = (struct wsc){.fd = -1};
}

static void drop(struct wsc *ws)
{
    if (ws->fd >= 0)
        close(ws->fd);
    ws->fd = -1;
    free(ws->rest);
    free(ws->unsent);
    ws->rest = ws->unsent = NULL;
    ws->rest_n = ws->unsent_n = 0;
}

static void die(struct wsc *ws, const char *error)
{
    drop(ws);
    ws->state = WSC_DEAD;
    if (error && !ws->error)
        ws->error = error;
}

static void send_raw(struct wsc *ws, const char *bytes, size_t len)
{
    size_t done = 0;
    if (ws->state == WSC_DEAD)
        return;
    if (ws->unsent_n == 0) {
        ssize_t n = send(ws->fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            die(ws, NULL);
            return;
        }
        done = n > 0 ? (size_t)n : 0;
    }
    wsc_totals.bytes_out += len;
    if (done == len)
        return;
    size_t left = len - done;
    if (ws->unsent_n + left > WSC_MESSAGE_MAX) {
        die(ws, "the server does not read");
        return;
    }
    char *grown = realloc(ws->unsent, ws->unsent_n + left);
    ASSERT(grown != NULL);
    memcpy(grown + ws->unsent_n, bytes + done, left);
    ws->unsent = grown;
    ws->unsent_n += (uint32_t)left;
}

static uint32_t next_mask(void)
{
    static uint32_t state = 0x9e3779b9U;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void send_frame(struct wsc *ws, int opcode, const char *payload, size_t len)
{
    char frame[HEAD_MAX + WSC_COMMAND_MAX];
    size_t at = 0;
    uint32_t mask = next_mask();
    uint8_t key[4];

    ASSERT(len <= WSC_COMMAND_MAX);
    memcpy(key, &mask, sizeof(key));
    frame[at++] = (char)(0x80 | opcode);
    if (len < 126) {
        frame[at++] = (char)(0x80 | len);
    } else {
        frame[at++] = (char)(0x80 | 126);
        frame[at++] = (char)(len >> 8);
        frame[at++] = (char)(len & 0xff);
    }
    memcpy(frame + at, key, sizeof(key));
    at += sizeof(key);
    for (size_t i = 0; i < len; i++)
        frame[at + i] = (char)((uint8_t)payload[i] ^ key[i & 3]);
    wsc_totals.frames_out++;
    send_raw(ws, frame, at + len);
}

/* Binds without a port. The kernel chooses the port at connect, when it only needs to be unique for this
 * server. */
static bool come_from(int fd, uint32_t address)
{
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    int one = 1;
    return setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof(one)) == 0 &&
           bind(fd, (const struct sockaddr *)&from, sizeof(from)) == 0;
}

bool wsc_connect(struct wsc *ws, uint32_t from, const struct sockaddr_in *to, const char *path,
                 const char *ticket, const char *origin)
{
    char request[WSC_COMMAND_MAX];
    int one = 1;

    ASSERT(ws->fd < 0 && ws->rest_n == 0 && ws->unsent_n == 0);
    ws->code = ws->status = 0;
    ws->error = NULL;
    ws->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (ws->fd < 0)
        return false;
    setsockopt(ws->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    int n = snprintf(request, sizeof(request),
                     "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Key: " NONCE "\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Protocol: rummy.v1, ticket.%s\r\n%s%s%s\r\n",
                     path, ntohs(to->sin_port), ticket, origin ? "Origin: " : "", origin ? origin : "",
                     origin ? "\r\n" : "");
    ASSERT(n > 0 && (size_t)n < sizeof(request));
    ws->unsent = malloc((size_t)n);
    if (!ws->unsent)
        BUG("no memory for a handshake");
    memcpy(ws->unsent, request, (size_t)n);
    ws->unsent_n = (uint32_t)n;
    ws->state = WSC_CONNECTING;
    if (come_from(ws->fd, from) &&
        (connect(ws->fd, (const struct sockaddr *)to, sizeof(*to)) == 0 || errno == EINPROGRESS))
        return true;
    int why = errno;
    die(ws, NULL);
    errno = why;
    return false;
}

void wsc_on_writable(struct wsc *ws)
{
    if (ws->state == WSC_CONNECTING) {
        int why = 0;
        socklen_t len = sizeof(why);
        if (getsockopt(ws->fd, SOL_SOCKET, SO_ERROR, &why, &len) != 0 || why != 0) {
            die(ws, NULL);
            return;
        }
        ws->state = WSC_HANDSHAKE;
    }
    if (ws->unsent_n == 0)
        return;
    ssize_t n = send(ws->fd, ws->unsent, ws->unsent_n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        die(ws, NULL);
        return;
    }
    if (n <= 0)
        return;
    ws->unsent_n -= (uint32_t)n;
    if (ws->unsent_n > 0) {
        memmove(ws->unsent, ws->unsent + n, ws->unsent_n);
        return;
    }
    free(ws->unsent);
    ws->unsent = NULL;
}

static bool has_header(const char *head, const char *name, const char *value)
{
    size_t name_n = strlen(name), value_n = strlen(value);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, name_n) != 0 || line[2 + name_n] != ':')
            continue;
        const char *at = line + 3 + name_n;
        at += strspn(at, " \t");
        return strncasecmp(at, value, value_n) == 0 && strncmp(at + value_n, "\r\n", 2) == 0;
    }
    return false;
}

/* Returns the length of the response head. 0: incomplete, or refused (see the state). */
static size_t read_handshake(struct wsc *ws, char *bytes, size_t len)
{
    char *end = memmem(bytes, len, "\r\n\r\n", 4);
    if (!end) {
        if (len > HANDSHAKE_MAX)
            die(ws, "the handshake response is too long");
        return 0;
    }
    char last = end[2];
    end[2] = '\0'; /* keeps the line end of the last header */
    if (strncmp(bytes, "HTTP/1.1 ", 9) != 0)
        die(ws, "the handshake response is not HTTP");
    else if (strncmp(bytes + 9, "101", 3) != 0)
        ws->status = (uint16_t)strtoul(bytes + 9, NULL, 10), die(ws, NULL);
    else if (!has_header(bytes, "Sec-WebSocket-Accept", NONCE_ACCEPT))
        die(ws, "wrong Sec-WebSocket-Accept");
    else if (!has_header(bytes, "Sec-WebSocket-Protocol", "rummy.v1"))
        die(ws, "subprotocol not agreed");
    else if (!has_header(bytes, "Upgrade", "websocket"))
        die(ws, "no Upgrade header");
    else
        ws->state = WSC_OPEN;
    end[2] = last;
    return ws->state == WSC_OPEN ? (size_t)(end - bytes) + 4 : 0;
}

static bool ascii(const char *text, size_t len)
{
    uint64_t high = 0, word;
    size_t i = 0;
    for (; i + sizeof(word) <= len; i += sizeof(word)) {
        memcpy(&word, text + i, sizeof(word));
        high |= word;
    }
    for (; i < len; i++)
        high |= (uint8_t)text[i];
    return (high & 0x8080808080808080ULL) == 0;
}

static void control(struct wsc *ws, int opcode, const char *payload, size_t len)
{
    if (opcode == OP_PING) {
        send_frame(ws, OP_PONG, payload, len);
    } else if (opcode == OP_CLOSE) {
        if (len >= 2)
            ws->code = (uint16_t)(((uint8_t)payload[0] << 8) | (uint8_t)payload[1]);
        if (len == 1)
            die(ws, "close frame of one byte");
        send_frame(ws, OP_CLOSE, payload, len < 2 ? 0 : 2);
        die(ws, NULL);
    } else if (opcode != OP_PONG) {
        die(ws, "unknown opcode");
    }
}

/* Reads a frame; returns its length including the header. 0: incomplete, or the peer violated the
 * protocol. */
static size_t read_frame(struct wsc *ws, const char *bytes, size_t len, wsc_on_text *on_text, void *arg)
{
    if (len < 2)
        return 0;
    uint8_t first = (uint8_t)bytes[0];
    int opcode = first & 0x0f;
    uint64_t payload_n = (uint8_t)bytes[1];
    size_t head = 2;
    if ((first & 0x70) || payload_n >= 128 || !(first & 0x80) || opcode == OP_CONT) {
        die(ws, "masked, fragmented or reserved bits in a server's frame");
        return 0;
    }
    if (payload_n >= 126) {
        size_t wide = payload_n == 126 ? 2 : 8;
        if (len < 2 + wide)
            return 0;
        payload_n = 0;
        for (size_t i = 0; i < wide; i++)
            payload_n = (payload_n << 8) | (uint8_t)bytes[2 + i];
        head += wide;
        if (payload_n < (wide == 2 ? 126U : 65536U) || opcode >= OP_CLOSE ||
            payload_n > WSC_MESSAGE_MAX - HEAD_MAX) {
            die(ws, "bad length of a frame");
            return 0;
        }
    }
    if (len < head + payload_n)
        return 0;
    wsc_totals.frames_in++;
    if (opcode != OP_TEXT) {
        control(ws, opcode, bytes + head, payload_n);
    } else if (!ascii(bytes + head, payload_n) && !text_utf8_ok(bytes + head, payload_n)) {
        die(ws, "text that is not UTF-8");
    } else {
        on_text(arg, bytes + head, payload_n);
    }
    return head + payload_n;
}

static void keep_rest(struct wsc *ws, const char *bytes, size_t len)
{
    if (ws->rest_n == 0 && len == 0)
        return;
    free(ws->rest);
    ws->rest = NULL;
    ws->rest_n = 0;
    if (len == 0)
        return;
    ws->rest = malloc(len);
    if (!ws->rest)
        BUG("no memory for a partial message");
    memcpy(ws->rest, bytes, len);
    ws->rest_n = (uint32_t)len;
}

/* Makes one recv call. false: no more input for now. */
static bool read_some(struct wsc *ws, wsc_on_text *on_text, void *arg)
{
    size_t len = ws->rest_n, at = 0, room = sizeof(inbox) - len;
    if (ws->state != WSC_OPEN && ws->state != WSC_HANDSHAKE)
        return false;
    if (len > 0)
        memcpy(inbox, ws->rest, len);
    ssize_t n = recv(ws->fd, inbox + len, room, MSG_DONTWAIT);
    if (n <= 0) {
        bool again = n < 0 && errno == EINTR;
        if (n == 0 || (errno != EAGAIN && !again))
            die(ws, NULL);
        return again;
    }
    wsc_totals.bytes_in += (uint64_t)n;
    len += (size_t)n;
    if (ws->state == WSC_HANDSHAKE)
        at = read_handshake(ws, inbox, len);
    while (ws->state == WSC_OPEN) {
        size_t used = read_frame(ws, inbox + at, len - at, on_text, arg);
        at += used;
        if (used == 0)
            break;
    }
    if (ws->state == WSC_OPEN || ws->state == WSC_HANDSHAKE)
        keep_rest(ws, inbox + at, len - at);
    return (size_t)n == room;
}

void wsc_on_readable(struct wsc *ws, wsc_on_text *on_text, void *arg)
{
    while (read_some(ws, on_text, arg))
        continue;
}

void wsc_send(struct wsc *ws, const char *text, size_t len)
{
    if (ws->state == WSC_OPEN)
        send_frame(ws, OP_TEXT, text, len);
}

void wsc_close(struct wsc *ws, bool cut)
{
    if (ws->fd >= 0) {
        struct linger reset = {.l_onoff = 1, .l_linger = 0};
        if (cut)
            setsockopt(ws->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
        else if (ws->state == WSC_OPEN)
            send_frame(ws, OP_CLOSE, "\x03\xe8", 2);
    }
    drop(ws);
    ws->state = WSC_IDLE;
}
