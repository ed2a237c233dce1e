/* Accepts and adopts connections; see acceptor.h. Connections inherit the options of the listening socket,
 * which libwebsockets would set with six system calls. A connection without a handshake never reaches the
 * library, which needs ten times as long as the kernel to open and close it. */
#include "server/ws/acceptor.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/edge/answer.h"
#include "server/edge/listen.h"
#include "server/operations/metrics.h"
#include "server/ws/handshake.h"
#include "server/ws/request.h"
#include "server/ws/stream.h"
#include "server/ws/ticket_protocol.h"

/* ---- Pauses ---- */
/* until_ms 0: pauses until a pending connection is admitted or ends. */
static void pause_accepting(struct srv_ws_acceptor *acceptor, int64_t until_ms)
{
    ASSERT(!acceptor->paused);
    acceptor->paused = true;
    acceptor->paused_until_ms = until_ms;
    ev_io_stop(acceptor->loop, &acceptor->readable);
    acceptor->unlogged.pauses++;
    srv_metric_add(METRIC_WS_PAUSES, 1);
    srv_metric_set(METRIC_WS_PAUSED, 1);
}

/* ---- Accepting ---- */
/* Closes a connection that libwebsockets does not have yet. */
static void close_pending(struct srv_ws_pending *pending)
{
    ASSERT(!pending->wsi);
    ev_io_stop(pending->acceptor->loop, &pending->input);
    (void)close(pending->fd);
    srv_ws_pending_end(pending);
}

/* Gives libwebsockets a generated handshake with the client's key, so that no client input is parsed twice.
 * Bytes after the client's handshake remain in the kernel. */
static ssize_t read_handshake(struct recv_hook *hook, int fd, void *bytes, size_t cap)
{
    static char waste[SRV_HEAD_MAX];
    struct srv_ws_pending *pending =
        (struct srv_ws_pending *)((char *)hook - offsetof(struct srv_ws_pending, hook));
    const struct srv_ws_request *request = &pending->request;
    ASSERT(pending->fd == fd && request->head_n <= sizeof(waste));
    ssize_t came = recvfrom(fd, waste, request->head_n, 0, NULL, NULL);
    if (came <= 0)
        return came;
    ASSERT((size_t)came == request->head_n); /* the whole head has been peeked at */
    recv_hook_clear(fd);
    pending->hooked = false;
    int n = snprintf(bytes, cap,
                     "GET / HTTP/1.1\r\nHost: rummyd\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n"
                     "Sec-WebSocket-Protocol: " SRV_WS_PROTOCOL "\r\n\r\n",
                     request->key);
    ASSERT(n > 0 && (size_t)n < cap);
    return n;
}

/* Hands a connection with a complete, valid handshake to libwebsockets, which owns it from now on. */
static void adopt(struct srv_ws_pending *pending)
{
    struct srv_ws_acceptor *acceptor = pending->acceptor;
    pending->hook.read = read_handshake;
    pending->hooked = recv_hook_set(pending->fd, &pending->hook);
    if (!pending->hooked) {
        srv_answer_code(pending->fd, API_BUSY);
        close_pending(pending);
        return;
    }
    /* The enum of flags has no name for this combination.
     * NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange) */
    const lws_adoption_type type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP;
    const lws_adopt_desc_t how = {
        .vh = acceptor->vhost, .type = type, .fd.sockfd = pending->fd, .opaque = pending};
    ASSERT(!acceptor->adopting && !pending->wsi);
    acceptor->adopting = pending;
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&how); /* closes the descriptor on failure */
    if (wsi)
        pending->wsi = wsi;
    else if (acceptor->adopting) /* srv_ws_pending_closed was not called */
        srv_ws_pending_end(pending);
    acceptor->adopting = NULL;
    /* Disable libwebsockets' timeout, which it keeps in a list that it searches from the front. In our
     * list, the oldest connection is first. */
    if (wsi)
        lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
}

typedef bool read_fn(struct srv_ws *ws, struct srv_ws_pending *pending, const char *head, size_t n,
                     struct srv_refusal *why);

/* Grants the request or answers with an error. */
static void answer_request(struct srv_ws_pending *pending, const char *head, read_fn *read_request)
{
    struct srv_ws *ws = pending->acceptor->ws;
    struct srv_refusal why = {0};
    if (!read_request(ws, pending, head, pending->read_n, &why)) {
        srv_answer_refusal(pending->fd, &why, pending->request.origin);
        close_pending(pending);
    } else if (read_request == srv_ws_request_read_stream) {
        srv_ws_stream_begin(ws, pending);
    } else {
        adopt(pending);
    }
}

/* Adopts a connection that has sent a handshake, and ends a pending one that has closed. */
static void check_handshake(struct srv_ws_pending *pending)
{
    const char *head = NULL;
    switch (srv_ws_handshake_peek(pending->fd, &pending->read_n, &head)) {
    case WS_HANDSHAKE_PARTIAL:
        ev_io_start(pending->acceptor->loop, &pending->input);
        return;
    case WS_HANDSHAKE_VALID:
        ev_io_stop(pending->acceptor->loop, &pending->input);
        answer_request(pending, head, srv_ws_request_read_socket);
        return;
    case WS_HANDSHAKE_STREAM:
        ev_io_stop(pending->acceptor->loop, &pending->input);
        srv_ws_pending_has_handshake(pending);
        answer_request(pending, head, srv_ws_request_read_stream);
        return;
    case WS_HANDSHAKE_ANSWERED:
    case WS_HANDSHAKE_CLOSED:
        close_pending(pending);
    }
}

static void on_input(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    check_handshake(io->data);
}

/* Starts a pending connection. NULL: the address has too many, or out of memory. */
static struct srv_ws_pending *begin_pending(struct srv_ws_acceptor *acceptor, int fd, const struct addr *addr)
{
    struct srv_ws_pending *pending = calloc(1, sizeof(*pending));
    if (!pending)
        return NULL;
    *pending =
        (struct srv_ws_pending){.acceptor = acceptor, .fd = fd, .addr = *addr, .since_ms = clock_mono_ms()};
    pending->by_proxy = acceptor->addresses && srv_proxies_has(&acceptor->proxies, addr);
    if (acceptor->addresses && !pending->by_proxy && !srv_ws_pending_count(pending, addr)) {
        srv_answer_code(fd, API_TOO_MANY_CONNECTIONS);
        free(pending);
        return NULL;
    }
    pending->in_handshake = true;
    pending->prev = acceptor->last;
    if (acceptor->last)
        acceptor->last->next = pending;
    else
        acceptor->first = pending;
    acceptor->last = pending;
    acceptor->waiting_n++;
    srv_metric_set(METRIC_WS_WAITING, (int64_t)acceptor->waiting_n);
    srv_metric_add(METRIC_WS_ACCEPTED, 1);
    return pending;
}

static void accept_one(struct srv_ws_acceptor *acceptor, int fd, const struct sockaddr *peer)
{
    struct addr addr;
    struct srv_ws_pending *pending =
        addr_of_sockaddr(peer, &addr) ? begin_pending(acceptor, fd, &addr) : NULL;
    if (!pending) {
        (void)close(fd);
        return;
    }
    ev_io_init(&pending->input, on_input, fd, EV_READ);
    pending->input.data = pending;
    check_handshake(pending); /* the handshake has often arrived already */
}

/* Whether the error concerns only this connection. */
static bool is_peer_error(int why)
{
    return why == ECONNABORTED || why == EINTR || why == EPROTO || why == ENETDOWN || why == ENOPROTOOPT ||
           why == EHOSTDOWN || why == EHOSTUNREACH || why == ENETUNREACH || why == ENONET || why == EPERM;
}

static void on_readable(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    struct srv_ws_acceptor *acceptor = io->data;
    for (int i = 0; i < WS_ACCEPT_MAX; i++) {
        if (acceptor->waiting_n >= acceptor->waiting_max) {
            pause_accepting(acceptor, 0);
            return;
        }
        union {
            struct sockaddr any;
            struct sockaddr_storage room;
        } peer;
        socklen_t len = sizeof(peer);
        int fd = accept4(acceptor->fd, &peer.any, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            accept_one(acceptor, fd, &peer.any);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        } else if (!is_peer_error(errno)) {
            pause_accepting(acceptor, clock_mono_ms() + WS_SHORT_PAUSE_MS);
            return;
        }
    }
}

/* ---- Time ---- */
static void close_late(struct srv_ws_acceptor *acceptor, int64_t now_ms)
{
    bool crowded = acceptor->paused && acceptor->paused_until_ms == 0;
    int64_t most_ms = crowded ? WS_CROWDED_MS_MAX : WS_HANDSHAKE_MS_MAX;
    for (int i = 0; i < WS_LATE_MAX && acceptor->first; i++) {
        struct srv_ws_pending *pending = acceptor->first;
        ASSERT(pending->in_handshake && !pending->prev);
        if (now_ms - pending->since_ms < most_ms)
            return;
        acceptor->unlogged.late++;
        srv_metric_add(METRIC_WS_REFUSED_LATE, 1);
        srv_ws_pending_has_handshake(pending);
        ASSERT(acceptor->first != pending);
        if (pending->wsi) {
            lws_set_timeout(pending->wsi, PENDING_TIMEOUT_ESTABLISH_WITH_SERVER, LWS_TO_KILL_SYNC);
            continue;
        }
        if (pending->read_n > 0) /* without a part of a request, there is nothing to answer */
            srv_answer_code(pending->fd, API_REQUEST_TIMEOUT);
        close_pending(pending);
    }
}

static void log_refused(struct srv_ws_acceptor *acceptor, int64_t now_ms)
{
    if (now_ms - acceptor->unlogged.at_ms < WS_LOG_EVERY_MS ||
        acceptor->unlogged.by_address + acceptor->unlogged.late + acceptor->unlogged.pauses == 0)
        return;
    log_warn("sockets_refused", LOG_NUM("by_address", acceptor->unlogged.by_address),
             LOG_NUM("late", acceptor->unlogged.late), LOG_NUM("pauses", acceptor->unlogged.pauses),
             LOG_NUM("waiting", acceptor->waiting_n));
    acceptor->unlogged.by_address = acceptor->unlogged.late = acceptor->unlogged.pauses = 0;
    acceptor->unlogged.at_ms = now_ms;
}

void srv_ws_acceptor_beat(struct srv_ws_acceptor *acceptor, int64_t now_ms)
{
    /* After a long pause of this process, let the loop handle the input received in the meantime first. */
    if (now_ms - acceptor->beat_ms < WS_SILENCE_MS_MAX)
        close_late(acceptor, now_ms);
    acceptor->beat_ms = now_ms;
    if (acceptor->paused && acceptor->paused_until_ms > 0 && now_ms >= acceptor->paused_until_ms &&
        acceptor->fd >= 0)
        srv_ws_acceptor_resume(acceptor);
    log_refused(acceptor, now_ms);
}

/* ---- Start and stop ---- */
bool srv_ws_acceptor_init(struct srv_ws_acceptor *acceptor, const struct srv_ws_config *config, char *error,
                          size_t error_cap)
{
    ASSERT(config->waiting_max > 0 && config->waiting_address_max > 0);
    *acceptor = (struct srv_ws_acceptor){
        .fd = -1, .waiting_max = config->waiting_max, .address_max = config->waiting_address_max};
    if (!srv_proxies_read(&acceptor->proxies, config->proxies, error, error_cap))
        return false;
    if (config->rate_limits && !(acceptor->addresses = srv_addr_counter_new(config->waiting_max))) {
        (void)snprintf(error, error_cap, "memory is short");
        return false;
    }
    acceptor->fd = srv_listen("ws", config->addr, config->port, false, error, error_cap);
    if (acceptor->fd < 0)
        return false;
    /* Accepted sockets inherit these options. */
    int on = 1, kernel_out = SRV_WS_KERNEL_OUT;
    (void)setsockopt(acceptor->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    (void)setsockopt(acceptor->fd, SOL_SOCKET, SO_SNDBUF, &kernel_out, sizeof(kernel_out));
    return true;
}

bool srv_ws_acceptor_open(struct srv_ws_acceptor *acceptor, struct ev_loop *loop, struct srv_ws *ws,
                          struct lws_vhost *vhost)
{
    if (!vhost)
        return false;
    acceptor->loop = loop;
    acceptor->ws = ws;
    acceptor->vhost = vhost;
    ev_io_init(&acceptor->readable, on_readable, acceptor->fd, EV_READ);
    acceptor->readable.data = acceptor;
    ev_io_start(loop, &acceptor->readable);
    return true;
}

void srv_ws_acceptor_close(struct srv_ws_acceptor *acceptor)
{
    if (acceptor->fd < 0)
        return;
    if (acceptor->loop)
        ev_io_stop(acceptor->loop, &acceptor->readable);
    (void)close(acceptor->fd);
    acceptor->fd = -1;
    for (struct srv_ws_pending *pending = acceptor->first, *next; pending; pending = next) {
        next = pending->next;
        if (!pending->wsi)
            close_pending(pending);
    }
}

void srv_ws_acceptor_free(struct srv_ws_acceptor *acceptor)
{
    ASSERT(acceptor->fd < 0 && acceptor->waiting_n == 0);
    srv_addr_counter_free(acceptor->addresses);
}
