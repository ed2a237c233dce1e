/* One timer wheel for all sockets; see wheel.h. */
#include "server/ws/wheel.h"

#include "base/bug.h"
#include "base/thread.h"

/* ---- Liveness: one wheel for all sockets ---- */
static uint16_t slot_after(const struct srv_ws *ws, uint16_t slot)
{
    return (uint16_t)((slot + 1) % (ws->config.ping_s * WS_BEATS_PER_S));
}

static void wheel_put(struct srv_ws *ws, struct srv_socket *socket, uint16_t slot)
{
    ASSERT(slot < ws->config.ping_s * WS_BEATS_PER_S && ws->slots[slot] != socket);
    socket->slot = slot;
    socket->slot_prev = NULL;
    socket->slot_next = ws->slots[slot];
    if (socket->slot_next)
        socket->slot_next->slot_prev = socket;
    ws->slots[slot] = socket;
}

void srv_ws_wheel_add(struct srv_ws *ws, struct srv_socket *socket)
{
    wheel_put(ws, socket, ws->slot_next_new);
    ws->slot_next_new = slot_after(ws, ws->slot_next_new);
}

void srv_ws_wheel_remove(struct srv_ws *ws, struct srv_socket *socket)
{
    ASSERT(socket->slot_prev ? socket->slot_prev->slot_next == socket : ws->slots[socket->slot] == socket);
    if (socket->slot_prev)
        socket->slot_prev->slot_next = socket->slot_next;
    else
        ws->slots[socket->slot] = socket->slot_next;
    if (socket->slot_next)
        socket->slot_next->slot_prev = socket->slot_prev;
}

/* Uses the wheel, because libwebsockets would search a sorted list for each such timeout, with thousands of
 * sockets when a server stops. Spreads the timeouts over 1 s, so that sockets that never answer end one by
 * one. */
void srv_ws_wheel_closing(struct srv_socket *socket)
{
    struct srv_ws *ws = socket->ws;
    int slots = ws->config.ping_s * WS_BEATS_PER_S;
    ASSERT(socket->close_code != 0);
    int ahead = WS_CLOSE_S_MAX * WS_BEATS_PER_S + ws->closing_next++ % WS_BEATS_PER_S;
    srv_ws_wheel_remove(ws, socket);
    wheel_put(ws, socket, (uint16_t)((ws->slot_now + (ahead < slots ? ahead : slots - 1)) % slots));
}

struct srv_socket *srv_ws_wheel_turn(struct srv_ws *ws)
{
    ws->slot_now = slot_after(ws, ws->slot_now);
    return ws->slots[ws->slot_now];
}

void srv_ws_each(struct srv_ws *ws, void (*visit)(struct srv_socket *socket, void *arg), void *arg)
{
    ASSERT(thread_is(THREAD_HUB));
    for (size_t slot = 0; slot < WS_SLOTS_MAX; slot++)
        for (struct srv_socket *socket = ws->slots[slot], *next; socket; socket = next) {
            next = socket->slot_next; /* a closing socket moves to another slot */
            visit(socket, arg);
        }
}
