/* The libwebsockets front end: connections, input, and liveness; see ws.h, out.c for output, and
 * docs/tables.md ("libwebsockets workarounds") for the workarounds here. */
#include <ev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/thread.h"
#include "server/edge/head.h"
#include "server/edge/origin.h"
#include "server/operations/metrics.h"
#include "server/operations/security_log.h"
#include "server/ws/acceptor.h"
#include "server/ws/frame.h"
#include "server/ws/out.h"
#include "server/ws/outbox.h"
#include "server/ws/sockets.h"
#include "server/ws/stream.h"
#include "server/ws/ticket_protocol.h"
#include "server/ws/wheel.h"
#include "server/ws/ws_in.h"

enum { LWS_LOG_EVERY_MS = 1000 };

static bool may_send(struct srv_socket *socket, int64_t now)
{
    ASSERT(socket->budget <= SRV_WS_BURST_MAX && now >= socket->refilled_ms);
    if (!socket->ws->config.rate_limits)
        return true;
    int64_t more = (now - socket->refilled_ms) * SRV_WS_PER_S_MAX / 1000;
    if (more > 0) {
        int64_t budget = socket->budget + more;
        socket->budget = (uint16_t)(budget < SRV_WS_BURST_MAX ? budget : SRV_WS_BURST_MAX);
        socket->refilled_ms = now;
    }
    if (socket->budget == 0)
        return false;
    socket->budget--;
    return true;
}

/* Logs a socket that is closed because of its input. */
static void log_refused(const struct srv_socket *socket, enum api_security what, enum api_code why)
{
    srv_security_log(&(struct srv_security){
        .what = what, .code = api_code_name(why), .account = socket->player_id, .table = socket->table_id});
}

/* Keeps a message received before the client has a seat. Clients rarely send one, so reading pauses only
 * after the first. */
static bool keep_early(struct srv_socket *socket, const char *text, size_t len, bool unreadable)
{
    if (!socket->held || socket->early || unreadable)
        return false;
    ASSERT(len <= SRV_FRAME_IN_MAX);
    socket->early = malloc(len + 1);
    if (!socket->early)
        return false;
    memcpy(socket->early, text, len);
    socket->early_n = (uint32_t)len;
    (void)lws_rx_flow_control(socket->wsi, 0);
    return true;
}

static void whole_message(struct srv_socket *socket, const char *text, size_t len, bool binary, bool too_big)
{
    struct srv_ws *ws = socket->ws;
    ASSERT(too_big || len <= SRV_FRAME_IN_MAX);
    if (socket->close_code != 0 || keep_early(socket, text, len, binary || too_big))
        return;
    srv_metric_add(METRIC_WS_FRAMES_IN, 1);
    if (!may_send(socket, socket->heard_ms)) {
        srv_metric_add(METRIC_WS_FLOODED, 1);
        log_refused(socket, API_SECURITY_SOCKET_FLOODED, API_FLOODING);
        srv_ws_close(socket, WIRE_CLOSE_FLOODING);
    } else if (binary || too_big) {
        ws->hooks.unreadable(ws->hooks.ctx, socket, too_big);
    } else {
        ws->hooks.text(ws->hooks.ctx, socket, text, len);
    }
}

void srv_ws_hold(struct srv_socket *socket, bool held)
{
    ASSERT(thread_is(THREAD_HUB));
    socket->held = held;
    char *early = held ? NULL : socket->early;
    if (!early)
        return;
    socket->early = NULL;
    whole_message(socket, early, socket->early_n, false, false);
    free(early);
    (void)lws_rx_flow_control(socket->wsi, 1);
}

static bool keep_piece(struct srv_socket *socket, const char *piece, size_t len)
{
    if (socket->in_over || socket->in_n + len > SRV_FRAME_IN_MAX) {
        socket->in_over = true;
        return true;
    }
    if (!socket->in)
        socket->in = malloc(SRV_FRAME_IN_MAX);
    if (!socket->in)
        return false;
    memcpy(socket->in + socket->in_n, piece, len);
    socket->in_n += (uint32_t)len;
    ASSERT(socket->in_n <= SRV_FRAME_IN_MAX);
    return true;
}

static int receive(struct srv_socket *socket, struct lws *wsi, const char *piece, size_t len)
{
    bool binary = lws_frame_is_binary(wsi) != 0;
    ASSERT(socket->open);
    bool first = lws_is_first_fragment(wsi) != 0;
    bool last = lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0;
    socket->heard_ms = clock_mono_ms();
    if (first && last && socket->in_n == 0 && !socket->in_over) {
        whole_message(socket, piece, len, binary, len > SRV_FRAME_IN_MAX);
        return 0;
    }
    if (!keep_piece(socket, piece, len))
        return -1;
    if (last) {
        whole_message(socket, socket->in, socket->in_n, binary, socket->in_over);
        srv_ws_drop_in(socket);
    }
    return 0;
}

void srv_ws_bad_frame(struct srv_socket *socket)
{
    ASSERT(socket->bad <= SRV_WS_BAD_MAX || socket->close_code != 0);
    srv_metric_add(METRIC_WS_BAD, 1);
    if (++socket->bad <= SRV_WS_BAD_MAX)
        return;
    log_refused(socket, API_SECURITY_FRAMES_REFUSED, API_BAD_FRAME);
    srv_ws_close(socket, WIRE_CLOSE_BAD_FRAMES);
}

static void next_slot(struct srv_ws *ws, int64_t now)
{
    for (struct srv_socket *socket = srv_ws_wheel_turn(ws); socket; socket = socket->slot_next) {
        if (socket->close_code != 0) {
            srv_ws_end(socket, PENDING_TIMEOUT_CLOSE_ACK);
        } else if (socket->wsi && now - socket->heard_ms > 2000 * ws->config.ping_s) {
            srv_metric_add(METRIC_WS_DEAD, 1);
            srv_ws_end(socket, PENDING_TIMEOUT_CLOSE_SEND);
        } else {
            srv_ws_out_queue(socket, WS_PING, "r", 1);
        }
    }
}

/* Makes up for late beats, but not for a long pause of this process, because input received in the meantime
 * has not been handled yet. */
void srv_ws_beat(struct srv_ws *ws)
{
    int64_t now = clock_mono_ms();
    if (now - ws->beat_ms > WS_BEATS_LATE_MAX * SRV_WS_BEAT_MS)
        ws->beat_ms = now - SRV_WS_BEAT_MS;
    ASSERT(thread_is(THREAD_HUB) && ws->slot_now < WS_SLOTS_MAX);
    for (; ws->beat_ms + SRV_WS_BEAT_MS <= now; ws->beat_ms += SRV_WS_BEAT_MS)
        next_slot(ws, now);
    srv_ws_acceptor_beat(&ws->acceptor, now);
    srv_ws_flush(ws);
}

size_t srv_ws_sockets(const struct srv_ws *ws)
{
    return ws->sockets_n;
}

/* Takes the request, which was parsed before libwebsockets got the connection. false: the request was
 * rejected. */
static bool take_request(struct lws *wsi, struct srv_socket *socket)
{
    const struct srv_ws_request *request = srv_ws_pending_request(wsi);
    if (!request)
        return false;
    socket->table_id = request->table_id;
    socket->since = request->since;
    memcpy(socket->ticket, request->ticket, sizeof(socket->ticket));
    return true;
}

static void opened(struct srv_ws *ws, struct lws *wsi, struct srv_socket *socket)
{
    socket->fd = lws_get_socket_fd(wsi);
    socket->wsi = wsi;
    srv_ws_pending_upgraded(wsi);
    srv_ws_opened(ws, socket);
}

void srv_ws_admit(struct srv_socket *socket)
{
    ASSERT(thread_is(THREAD_HUB) && socket->open);
    if (socket->wsi)
        srv_ws_pending_admitted(socket->wsi);
    else
        srv_ws_stream_admit(socket);
}

/* libwebsockets gives each connection unaligned memory; this function aligns it to a cache line. NULL
 * remains NULL. */
static struct srv_socket *socket_in(void *user)
{
    return (struct srv_socket *)(((uintptr_t)user + WS_LINE - 1) / WS_LINE * WS_LINE);
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
    struct srv_ws *ws = lws_context_user(lws_get_context(wsi));
    struct srv_socket *socket = socket_in(user);
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return take_request(wsi, socket) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        opened(ws, wsi, socket);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return receive(socket, wsi, in, len);
    case LWS_CALLBACK_RECEIVE_PONG:
        socket->heard_ms = clock_mono_ms();
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return srv_ws_out_write(socket) ? 0 : -1;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return socket->close_code != 0 ? -1 : 0; /* no reply is needed to the reply to our close */
    case LWS_CALLBACK_CLOSED:
        srv_ws_closed(ws, socket);
        return 0;
    default:
        return 0;
    }
}

/* libwebsockets reports all connections here when they close. Connections that do not upgrade, or do not
 * name our subprotocol, would also end up here, but the acceptor rejects them. */
static int on_other(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
    (void)user;
    (void)in;
    (void)len;
    switch (reason) {
    case LWS_CALLBACK_WSI_DESTROY:
        srv_ws_pending_closed(wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        BUG("ws: libwebsockets parsed a different handshake");
    default:
        return 0;
    }
}

/* ---- The context ---- */
static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_other, .rx_buffer_size = 512},
    {.name = SRV_WS_PROTOCOL,
     .callback = on_socket,
     .per_session_data_size = sizeof(struct srv_socket) + WS_LINE - 1,
     .rx_buffer_size = 512,
     .tx_packet_size = SRV_WS_OUT_MAX}, /* 0 would mean rx_buffer_size and send longer output in pieces */
    {0},
};

/* Disables libwebsockets' pings, which would need a position in a sorted list of all sockets for every
 * message. The wheel above sends pings instead. */
static const lws_retry_bo_t no_timers = {0};

/* Logs at most one line per second, so that untrusted clients cannot fill a disk. Hub thread, the only one
 * that runs the library. */
static void on_lws_log(int level, const char *line)
{
    static int64_t logged_ms = -LWS_LOG_EVERY_MS, kept_back;
    char text[256];
    size_t len = strcspn(line, "\n");
    (void)snprintf(text, sizeof(text), "%.*s", (int)(len < 250 ? len : 250), line);
    int64_t now = clock_mono_ms();
    if (level != LLL_ERR) {
        log_debug("libwebsockets", LOG_TEXT("text", text));
    } else if (now - logged_ms < LWS_LOG_EVERY_MS) {
        kept_back++;
    } else {
        log_warn("libwebsockets", LOG_TEXT("text", text), LOG_NUM("kept_back", kept_back));
        logged_ms = now;
        kept_back = 0;
    }
}

struct srv_ws *srv_ws_new(struct ev_loop *loop, const struct srv_ws_config *config,
                          const struct srv_ws_hooks *hooks, char *error, size_t error_cap)
{
    ASSERT(config->ping_s > 0 && config->ping_s <= SRV_WS_PING_S_MAX);
    ASSERT(hooks->opened && hooks->text && hooks->unreadable && hooks->closed);
    struct srv_ws *ws = calloc(1, sizeof(*ws));
    if (!ws) {
        (void)snprintf(error, error_cap, "memory is short");
        return NULL;
    }
    if (!srv_ws_acceptor_init(&ws->acceptor, config, error, error_cap)) {
        srv_ws_free(ws);
        return NULL;
    }
    ws->config = *config;
    ws->hooks = *hooks;
    (void)snprintf(ws->origins, sizeof(ws->origins), "%s", config->origins);
    lws_set_log_level(LLL_ERR | LLL_WARN, on_lws_log);
    void *loops[] = {loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER, /* the acceptor listens */
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_DISABLE_IPV6,
        .foreign_loops = loops,
        .retry_and_idle_policy = &no_timers,
        .user = ws,
        .count_threads = 1,
        .timeout_secs = 10,
    };
    ws->context = lws_create_context(&info);
    if (!ws->context ||
        !srv_ws_acceptor_open(&ws->acceptor, loop, ws, lws_get_vhost_by_name(ws->context, "default"))) {
        (void)snprintf(
            error, error_cap,
            "libwebsockets cannot start on libev (is the package libwebsockets-evlib-ev installed?)");
        srv_ws_free(ws);
        return NULL;
    }
    return ws;
}

static void free_stream(struct srv_socket *socket, void *none)
{
    (void)none;
    if (!socket->wsi)
        srv_ws_stream_free(socket);
}

void srv_ws_free(struct srv_ws *ws)
{
    if (!ws)
        return;
    srv_ws_acceptor_close(&ws->acceptor);
    if (ws->context)
        srv_ws_each(ws, free_stream, NULL);
    if (ws->context)
        lws_context_destroy(ws->context);
    srv_ws_acceptor_free(&ws->acceptor);
    recv_hook_free();
    srv_ws_outbox_free(ws);
    free(ws);
}
