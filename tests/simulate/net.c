/* Connections between players and nodes, and the sockets of a node, replacing server/ws/ws.c; see net.h. */
#include "tests/simulate/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "server/ws/frame.h"
#include "server/ws/ws.h"
#include "wire/frames.h"

enum { CONNS_MAX = 512, GONE_AFTER_MS = 30000, EARLY_MAX = 32, REFUSED_CODE = 1006 };

struct message {
    size_t len;
    struct message *next;
    char text[];
};

struct sim_conn {
    struct srv_socket socket; /* must come first, so that a socket can be cast to its connection */
    struct sim_node *node;
    uint32_t life;
    const struct sim_line_ports *ports;
    void *ctx;
    bool server_open, player_open, broken, closing;
    int64_t to_player_us, to_node_us; /* times when the last sent message arrives */
    struct message *out, **out_end;   /* sent but not flushed */
    struct message *early, **early_end;
    size_t early_n;
    struct sim_conn *next;
};

struct srv_ws {
    struct sim_node *node;
    struct srv_ws_hooks hooks;
};

static struct sim_conn *conns;
static bool cut[SIM_NODES_MAX];

static struct sim_conn *of(const struct srv_socket *socket)
{
    return (struct sim_conn *)(uintptr_t)socket;
}

int sim_conn_node(const struct sim_conn *conn)
{
    return sim_node_index(conn->node);
}

static struct message *message_of(const char *text, size_t len)
{
    struct message *message = malloc(sizeof(*message) + len + 1);
    ASSERT(message);
    *message = (struct message){.len = len};
    memcpy(message->text, text, len);
    message->text[len] = '\0';
    return message;
}

static void put(struct message ***end, struct message *message)
{
    **end = message;
    *end = &message->next;
}

static int64_t arrival(int64_t *last_us)
{
    int64_t at = sim_now + sim_between(&sim_net, 1000, sim_chance(&sim_net, 20) ? 250000 : 12000);
    if (at < *last_us)
        at = *last_us;
    return *last_us = at;
}

static bool carries(const struct sim_conn *conn)
{
    return !conn->broken && !cut[sim_node_index(conn->node)];
}

/* ---- To the node ---- */
static struct srv_ws *ws_of(const struct sim_conn *conn)
{
    return conn->socket.ws;
}

static void server_closed(void *arg, int64_t number)
{
    struct sim_conn *conn = arg;
    (void)number;
    if (!conn->server_open)
        return;
    conn->server_open = false;
    ws_of(conn)->hooks.closed(ws_of(conn)->hooks.ctx, &conn->socket);
}

static void close_server_side(struct sim_conn *conn, int64_t after_us)
{
    if (conn->life == sim_node_life(conn->node))
        sim_loop_turn(sim_now + after_us, conn->node, server_closed, conn, 0);
}

static void heard(struct sim_conn *conn, const char *text, size_t len)
{
    struct srv_ws_hooks *hooks = &ws_of(conn)->hooks;
    if (len > SRV_FRAME_IN_MAX)
        hooks->unreadable(hooks->ctx, &conn->socket, true);
    else
        hooks->text(hooks->ctx, &conn->socket, text, len);
}

static void text_arrives(void *arg, int64_t number)
{
    struct message *message = arg;
    struct sim_conn *conn = (struct sim_conn *)(intptr_t)number;
    if (!conn->server_open || conn->socket.close_code != 0 || !carries(conn)) {
        free(message);
        return;
    }
    if (conn->socket.held) {
        put(&conn->early_end, message);
        if (++conn->early_n > EARLY_MAX)
            sim_broken("a held socket is bounded", "more than %d frames wait", EARLY_MAX);
        return;
    }
    heard(conn, message->text, message->len);
    free(message);
}

void sim_send(struct sim_conn *conn, const char *text, size_t len)
{
    if (!conn->player_open || conn->life != sim_node_life(conn->node))
        return;
    sim_loop_turn(arrival(&conn->to_node_us), conn->node, text_arrives, message_of(text, len),
                  (int64_t)(intptr_t)conn);
}

void sim_hang_up(struct sim_conn *conn)
{
    if (!conn->player_open)
        return;
    conn->player_open = false;
    close_server_side(conn, carries(conn) ? sim_between(&sim_net, 1000, 12000) : GONE_AFTER_MS * SIM_MS);
}

/* ---- To the player ---- */
static void told_closed(void *arg, int64_t code)
{
    struct sim_conn *conn = arg;
    if (!conn->player_open)
        return;
    conn->player_open = false;
    conn->ports->closed(conn->ctx, conn, (int)code);
}

static void frame_arrives(void *arg, int64_t number)
{
    struct message *message = arg;
    struct sim_conn *conn = (struct sim_conn *)(intptr_t)number;
    if (conn->player_open && carries(conn))
        conn->ports->frame(conn->ctx, conn, message->text, message->len);
    free(message);
}

static void opened(void *arg, int64_t number)
{
    struct sim_conn *conn = arg;
    (void)number;
    if (!conn->player_open)
        return;
    conn->ports->opened(conn->ctx, conn);
}

/* ---- Connecting ---- */
static struct srv_ws *listens[SIM_NODES_MAX];

static void accepted(void *arg, int64_t number)
{
    struct sim_conn *conn = arg;
    struct srv_ws *ws = listens[sim_node_index(conn->node)];
    (void)number;
    if (!ws || !carries(conn) || !conn->player_open) {
        sim_after(sim_between(&sim_net, 1000, 9000), NULL, told_closed, conn, REFUSED_CODE);
        return;
    }
    conn->socket.ws = ws;
    conn->socket.open = conn->server_open = true;
    sim_at(arrival(&conn->to_player_us), NULL, opened, conn, 0);
    ws->hooks.opened(ws->hooks.ctx, &conn->socket);
}

struct sim_conn *sim_connect(struct sim_node *node, int64_t table, const char *ticket, int64_t since,
                             const struct sim_line_ports *ports, void *ctx)
{
    struct sim_conn *conn = calloc(1, sizeof(*conn));
    ASSERT(conn && strlen(ticket) < sizeof(conn->socket.ticket));
    conn->node = node;
    conn->life = sim_node_life(node);
    conn->ports = ports;
    conn->ctx = ctx;
    conn->player_open = true;
    conn->out_end = &conn->out;
    conn->early_end = &conn->early;
    conn->socket.table_id = table;
    conn->socket.since = since;
    memcpy(conn->socket.ticket, ticket, strlen(ticket) + 1);
    conn->next = conns;
    conns = conn;
    if (sim_node_serves(node) && !cut[sim_node_index(node)])
        sim_loop_turn(sim_now + sim_between(&sim_net, 2000, 20000), node, accepted, conn, 0);
    else
        sim_after(sim_between(&sim_net, 1000, 9000), NULL, told_closed, conn, REFUSED_CODE);
    return conn;
}

/* ---- Faults of connections ---- */
static void forget_closed(void)
{
    for (struct sim_conn **at = &conns; *at;) {
        struct sim_conn *conn = *at;
        if (conn->player_open || conn->server_open)
            at = &conn->next;
        else
            *at = conn->next; /* not freed, because pending events may refer to it */
    }
}

/* The player notices when replies are missing, the node when pings fail. */
static void break_line(struct sim_conn *conn)
{
    conn->broken = true;
    sim_after(sim_between(&sim_net, 2500, 5000) * SIM_MS, NULL, told_closed, conn, REFUSED_CODE);
    if (conn->server_open)
        close_server_side(conn, GONE_AFTER_MS * SIM_MS);
}

void sim_net_node_dead(struct sim_node *node)
{
    listens[sim_node_index(node)] = NULL;
    for (struct sim_conn *conn = conns; conn; conn = conn->next) {
        if (conn->node != node)
            continue;
        conn->server_open = false;
        conn->broken = true;
        if (conn->player_open)
            sim_after(sim_between(&sim_net, 500, 12000), NULL, told_closed, conn, REFUSED_CODE);
    }
    forget_closed();
}

void sim_net_cut(struct sim_node *node, bool now_cut)
{
    cut[sim_node_index(node)] = now_cut;
    for (struct sim_conn *conn = conns; now_cut && conn; conn = conn->next)
        if (conn->node == node && conn->player_open)
            break_line(conn);
}

bool sim_net_is_cut(const struct sim_node *node)
{
    return cut[sim_node_index(node)];
}

void sim_net_break_one(struct sim_dice *dice)
{
    int64_t n = 0, pick;
    for (struct sim_conn *conn = conns; conn; conn = conn->next)
        n += conn->player_open && !conn->broken;
    if (n == 0)
        return;
    pick = sim_between(dice, 0, n - 1);
    for (struct sim_conn *conn = conns; conn; conn = conn->next)
        if (conn->player_open && !conn->broken && pick-- == 0)
            break_line(conn);
}

/* ---- The sockets, with the interface of server/ws/ws.h ---- */
struct srv_ws *srv_ws_new(struct ev_loop *loop, const struct srv_ws_config *config,
                          const struct srv_ws_hooks *hooks, char *error, size_t error_cap)
{
    struct srv_ws *ws = calloc(1, sizeof(*ws));
    (void)loop;
    (void)config;
    (void)error;
    (void)error_cap;
    ASSERT(ws);
    ws->node = sim_node_now();
    ws->hooks = *hooks;
    return listens[sim_node_index(ws->node)] = ws;
}

void srv_ws_free(struct srv_ws *ws)
{
    if (ws)
        listens[sim_node_index(ws->node)] = NULL;
}

void srv_ws_admit(struct srv_socket *socket)
{
    (void)socket;
}

void srv_ws_each(struct srv_ws *ws, void (*look)(struct srv_socket *socket, void *arg), void *arg)
{
    for (struct sim_conn *conn = conns; conn; conn = conn->next)
        if (conn->node == ws->node && conn->server_open && conn->socket.close_code == 0)
            look(&conn->socket, arg);
}

void srv_ws_send(struct srv_socket *const *sockets, size_t n, const char *text, size_t len)
{
    for (size_t i = 0; i < n; i++) {
        struct sim_conn *conn = of(sockets[i]);
        ASSERT(conn->node == sim_node_now());
        if (conn->server_open && conn->socket.close_code == 0)
            put(&conn->out_end, message_of(text, len));
    }
}

static void flush(struct sim_conn *conn)
{
    struct message *message = conn->out;
    conn->out = NULL;
    conn->out_end = &conn->out;
    while (message) {
        struct message *next = message->next;
        check_spoken(conn->node, conn->socket.table_id, message->text, message->len);
        sim_at(arrival(&conn->to_player_us), NULL, frame_arrives, message, (int64_t)(intptr_t)conn);
        message = next;
    }
}

void srv_ws_close(struct srv_socket *socket, int code)
{
    struct sim_conn *conn = of(socket);
    if (socket->close_code != 0 || !conn->server_open)
        return;
    flush(conn);
    socket->close_code = (uint16_t)code;
    if (carries(conn))
        sim_at(arrival(&conn->to_player_us), NULL, told_closed, conn, code);
    close_server_side(conn, sim_between(&sim_net, 2000, 30000));
}

void srv_ws_hold(struct srv_socket *socket, bool held)
{
    struct sim_conn *conn = of(socket);
    socket->held = held;
    while (!socket->held && conn->early) {
        struct message *message = conn->early;
        conn->early = message->next;
        if (!conn->early)
            conn->early_end = &conn->early;
        conn->early_n--;
        if (conn->server_open && socket->close_code == 0)
            heard(conn, message->text, message->len);
        free(message);
    }
}

void srv_ws_flush(struct srv_ws *ws)
{
    for (struct sim_conn *conn = conns; conn; conn = conn->next)
        if (conn->node == ws->node && conn->out)
            flush(conn);
}

/* Does nothing, because the connections track which sockets are dead. */
void srv_ws_beat(struct srv_ws *ws)
{
    (void)ws;
}

void srv_ws_bad_frame(struct srv_socket *socket)
{
    if (++socket->bad > SRV_WS_BAD_MAX)
        srv_ws_close(socket, WIRE_CLOSE_BAD_FRAMES);
}

size_t srv_ws_sockets(const struct srv_ws *ws)
{
    size_t n = 0;
    for (const struct sim_conn *conn = conns; conn; conn = conn->next)
        n += conn->node == ws->node && conn->server_open;
    return n;
}

bool srv_ws_behind(const struct srv_socket *socket)
{
    (void)socket;
    return false;
}
