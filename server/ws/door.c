/* Accepts and adopts connections; see door.h. A connection inherits from the listening socket what
 * libwebsockets would set with six system calls. A connection without a handshake never reaches the library,
 * which needs ten times as long as the kernel to open and close it. */
#include "server/ws/door.h"

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
#include "server/ws/asked.h"
#include "server/ws/handshake.h"
#include "server/ws/offered.h"
#include "server/ws/stream.h"

/* ---- Pauses ---- */
/* until_ms 0: until a visit is over. */
static void pause_door(struct srv_ws_door *door, int64_t until_ms)
{
    ASSERT(!door->paused);
    door->paused = true;
    door->paused_until_ms = until_ms;
    ev_io_stop(door->loop, &door->readable);
    door->told.pauses++;
    srv_metric_add(METRIC_WS_PAUSES, 1);
    srv_metric_set(METRIC_WS_PAUSED, 1);
}

/* ---- Accepting ---- */
/* For a connection that libwebsockets does not have yet. */
static void hang_up(struct srv_ws_visit *visit)
{
    ASSERT(!visit->wsi);
    ev_io_stop(visit->door->loop, &visit->heard);
    (void)close(visit->fd);
    srv_ws_visit_end(visit);
}

/* What libwebsockets reads: a handshake that we generate with the original's key, so that no client input is
 * parsed twice. Bytes after the original stay in the kernel. */
static ssize_t read_handshake(struct recv_hook *hook, int fd, void *bytes, size_t cap)
{
    static char waste[SRV_HEAD_MAX];
    struct srv_ws_visit *visit = (struct srv_ws_visit *)((char *)hook - offsetof(struct srv_ws_visit, hook));
    const struct srv_ws_asked *asked = &visit->asked;
    ASSERT(visit->fd == fd && asked->head_n <= sizeof(waste));
    ssize_t came = recvfrom(fd, waste, asked->head_n, 0, NULL, NULL);
    if (came <= 0)
        return came;
    ASSERT((size_t)came == asked->head_n); /* it was there when it was peeked at */
    recv_hook_clear(fd);
    visit->hooked = false;
    int n = snprintf(bytes, cap,
                     "GET / HTTP/1.1\r\nHost: rummyd\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n"
                     "Sec-WebSocket-Protocol: " SRV_WS_PROTOCOL "\r\n\r\n",
                     asked->key);
    ASSERT(n > 0 && (size_t)n < cap);
    return n;
}

/* Its handshake is complete and valid: from now on libwebsockets owns it. */
static void adopt(struct srv_ws_visit *visit)
{
    struct srv_ws_door *door = visit->door;
    visit->hook.read = read_handshake;
    visit->hooked = recv_hook_set(visit->fd, &visit->hook);
    if (!visit->hooked) {
        srv_answer_code(visit->fd, API_BUSY);
        hang_up(visit);
        return;
    }
    /* An enum of flags without a name for the combination of two.
     * NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange) */
    const lws_adoption_type type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP;
    const lws_adopt_desc_t how = {.vh = door->vhost, .type = type, .fd.sockfd = visit->fd, .opaque = visit};
    ASSERT(!door->adopting && !visit->wsi);
    door->adopting = visit;
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&how); /* on failure it has closed the descriptor */
    if (wsi)
        visit->wsi = wsi;
    else if (door->adopting) /* srv_ws_visit_gone was not called for it */
        srv_ws_visit_end(visit);
    door->adopting = NULL;
    /* Its own timeout is in a list that is searched from the front; the oldest of ours is first. */
    if (wsi)
        lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
}

typedef bool ask_fn(struct srv_ws *ws, struct srv_ws_visit *visit, const char *head, size_t n,
                    struct srv_refusal *why);

/* Grants the request, or answers with a refusal. */
static void let_speak(struct srv_ws_visit *visit, const char *head, ask_fn *ask)
{
    struct srv_ws *ws = visit->door->ws;
    struct srv_refusal why = {0};
    if (!ask(ws, visit, head, visit->said_n, &why)) {
        srv_answer_refusal(visit->fd, &why, visit->asked.origin);
        hang_up(visit);
    } else if (ask == srv_ws_asked_stream) {
        srv_ws_stream_begin(ws, visit);
    } else {
        adopt(visit);
    }
}

/* Adopts connections that have sent a handshake, and ends visits of those that have closed. */
static void listen_to(struct srv_ws_visit *visit)
{
    const char *head = NULL;
    switch (srv_ws_handshake_look(visit->fd, &visit->said_n, &head)) {
    case WS_LOOK_MORE:
        ev_io_start(visit->door->loop, &visit->heard);
        return;
    case WS_LOOK_GOOD:
        ev_io_stop(visit->door->loop, &visit->heard);
        let_speak(visit, head, srv_ws_asked_socket);
        return;
    case WS_LOOK_STREAM:
        ev_io_stop(visit->door->loop, &visit->heard);
        srv_ws_visit_heard(visit);
        let_speak(visit, head, srv_ws_asked_stream);
        return;
    case WS_LOOK_ANSWERED:
    case WS_LOOK_GONE:
        hang_up(visit);
    }
}

static void on_heard(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    listen_to(io->data);
}

/* Begins a visit; NULL: not allowed. */
static struct srv_ws_visit *begin_visit(struct srv_ws_door *door, int fd, const struct addr *addr)
{
    struct srv_ws_visit *visit = calloc(1, sizeof(*visit));
    if (!visit)
        return NULL;
    *visit = (struct srv_ws_visit){.door = door, .fd = fd, .addr = *addr, .since_ms = clock_mono_ms()};
    visit->by_proxy = door->addresses && srv_proxies_has(&door->proxies, addr);
    if (door->addresses && !visit->by_proxy && !srv_ws_visit_count(visit, addr)) {
        srv_answer_code(fd, API_TOO_MANY_CONNECTIONS);
        free(visit);
        return NULL;
    }
    visit->knocking = true;
    visit->prev = door->last;
    if (door->last)
        door->last->next = visit;
    else
        door->first = visit;
    door->last = visit;
    door->waiting_n++;
    srv_metric_set(METRIC_WS_WAITING, (int64_t)door->waiting_n);
    srv_metric_add(METRIC_WS_ACCEPTED, 1);
    return visit;
}

static void take_in(struct srv_ws_door *door, int fd, const struct sockaddr *peer)
{
    struct addr addr;
    struct srv_ws_visit *visit = addr_of_sockaddr(peer, &addr) ? begin_visit(door, fd, &addr) : NULL;
    if (!visit) {
        (void)close(fd);
        return;
    }
    ev_io_init(&visit->heard, on_heard, fd, EV_READ);
    visit->heard.data = visit;
    listen_to(visit); /* the handshake has often arrived with the connection */
}

/* The error is the connection's, not ours. */
static bool is_theirs(int why)
{
    return why == ECONNABORTED || why == EINTR || why == EPROTO || why == ENETDOWN || why == ENOPROTOOPT ||
           why == EHOSTDOWN || why == EHOSTUNREACH || why == ENETUNREACH || why == ENONET || why == EPERM;
}

static void on_readable(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    struct srv_ws_door *door = io->data;
    for (int i = 0; i < WS_ACCEPT_MAX; i++) {
        if (door->waiting_n >= door->waiting_max) {
            pause_door(door, 0);
            return;
        }
        union {
            struct sockaddr any;
            struct sockaddr_storage room;
        } peer;
        socklen_t len = sizeof(peer);
        int fd = accept4(door->fd, &peer.any, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            take_in(door, fd, &peer.any);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        } else if (!is_theirs(errno)) {
            pause_door(door, clock_mono_ms() + WS_SHORT_PAUSE_MS);
            return;
        }
    }
}

/* ---- Time ---- */
static void close_late(struct srv_ws_door *door, int64_t now_ms)
{
    bool crowded = door->paused && door->paused_until_ms == 0;
    int64_t most_ms = crowded ? WS_CROWDED_MS_MAX : WS_HANDSHAKE_MS_MAX;
    for (int i = 0; i < WS_LATE_MAX && door->first; i++) {
        struct srv_ws_visit *visit = door->first;
        ASSERT(visit->knocking && !visit->prev);
        if (now_ms - visit->since_ms < most_ms)
            return;
        door->told.late++;
        srv_metric_add(METRIC_WS_REFUSED_LATE, 1);
        srv_ws_visit_heard(visit);
        ASSERT(door->first != visit);
        if (visit->wsi) {
            lws_set_timeout(visit->wsi, PENDING_TIMEOUT_ESTABLISH_WITH_SERVER, LWS_TO_KILL_SYNC);
            continue;
        }
        if (visit->said_n > 0) /* without a request there is nothing to answer */
            srv_answer_code(visit->fd, API_REQUEST_TIMEOUT);
        hang_up(visit);
    }
}

static void tell(struct srv_ws_door *door, int64_t now_ms)
{
    if (now_ms - door->told.at_ms < WS_TOLD_EVERY_MS ||
        door->told.by_address + door->told.late + door->told.pauses == 0)
        return;
    log_warn("sockets_refused", LOG_NUM("by_address", door->told.by_address),
             LOG_NUM("late", door->told.late), LOG_NUM("pauses", door->told.pauses),
             LOG_NUM("waiting", door->waiting_n));
    door->told.by_address = door->told.late = door->told.pauses = 0;
    door->told.at_ms = now_ms;
}

void srv_ws_door_beat(struct srv_ws_door *door, int64_t now_ms)
{
    /* After a long pause of this process, input received in the meantime is handled first. */
    if (now_ms - door->beat_ms < WS_SILENCE_MS_MAX)
        close_late(door, now_ms);
    door->beat_ms = now_ms;
    if (door->paused && door->paused_until_ms > 0 && now_ms >= door->paused_until_ms && door->fd >= 0)
        srv_ws_door_resume(door);
    tell(door, now_ms);
}

/* ---- Start and stop ---- */
bool srv_ws_door_init(struct srv_ws_door *door, const struct srv_ws_config *config, char *error,
                      size_t error_cap)
{
    ASSERT(config->waiting_max > 0 && config->waiting_address_max > 0);
    *door = (struct srv_ws_door){
        .fd = -1, .waiting_max = config->waiting_max, .address_max = config->waiting_address_max};
    if (!srv_proxies_read(&door->proxies, config->proxies, error, error_cap))
        return false;
    if (config->rate_limits && !(door->addresses = srv_tally_new(config->waiting_max))) {
        (void)snprintf(error, error_cap, "memory is short");
        return false;
    }
    door->fd = srv_listen("ws", config->addr, config->port, false, error, error_cap);
    if (door->fd < 0)
        return false;
    /* Accepted sockets inherit these. */
    int on = 1, kernel_out = SRV_WS_KERNEL_OUT;
    (void)setsockopt(door->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    (void)setsockopt(door->fd, SOL_SOCKET, SO_SNDBUF, &kernel_out, sizeof(kernel_out));
    return true;
}

bool srv_ws_door_open(struct srv_ws_door *door, struct ev_loop *loop, struct srv_ws *ws,
                      struct lws_vhost *vhost)
{
    if (!vhost)
        return false;
    door->loop = loop;
    door->ws = ws;
    door->vhost = vhost;
    ev_io_init(&door->readable, on_readable, door->fd, EV_READ);
    door->readable.data = door;
    ev_io_start(loop, &door->readable);
    return true;
}

void srv_ws_door_close(struct srv_ws_door *door)
{
    if (door->fd < 0)
        return;
    if (door->loop)
        ev_io_stop(door->loop, &door->readable);
    (void)close(door->fd);
    door->fd = -1;
    for (struct srv_ws_visit *visit = door->first, *next; visit; visit = next) {
        next = visit->next;
        if (!visit->wsi)
            hang_up(visit);
    }
}

void srv_ws_door_free(struct srv_ws_door *door)
{
    ASSERT(door->fd < 0 && door->waiting_n == 0);
    srv_tally_free(door->addresses);
}
