/* Opening and closing of sockets; see sockets.h. */
#include "server/ws/sockets.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/thread.h"
#include "server/operations/metrics.h"
#include "server/ws/outbox.h"
#include "server/ws/wheel.h"

/* ---- Input ---- */
void srv_ws_drop_in(struct srv_socket *socket)
{
    free(socket->in);
    socket->in = NULL;
    socket->in_n = 0;
    socket->in_over = false;
}

/* ---- Connecting ---- */
void srv_ws_release(struct srv_socket *socket)
{
    socket->held = false;
    if (!socket->early)
        return;
    free(socket->early);
    socket->early = NULL;
    (void)lws_rx_flow_control(socket->wsi, 1);
}

void srv_ws_opened(struct srv_ws *ws, struct srv_socket *socket)
{
    ASSERT(thread_is(THREAD_HUB) && socket->fd >= 0);
    socket->ws = ws;
    socket->open = true;
    socket->budget = SRV_WS_BURST_MAX;
    socket->heard_ms = socket->refilled_ms = clock_mono_ms();
    srv_ws_wheel_add(ws, socket);
    ws->sockets_n++;
    srv_metric_set(METRIC_WS_OPEN, (int64_t)ws->sockets_n);
    srv_metric_add(METRIC_WS_CONNECTIONS, 1);
    ws->hooks.opened(ws->hooks.ctx, socket);
}

void srv_ws_closed(struct srv_ws *ws, struct srv_socket *socket)
{
    if (!socket->open)
        return;
    ASSERT(thread_is(THREAD_HUB) && ws->sockets_n > 0);
    socket->open = false;
    ws->hooks.closed(ws->hooks.ctx, socket);
    srv_ws_wheel_remove(ws, socket);
    srv_ws_outbox_forget(socket);
    srv_ws_drop_in(socket);
    free(socket->early);
    socket->early = NULL;
    ws->sockets_n--;
    srv_metric_set(METRIC_WS_OPEN, (int64_t)ws->sockets_n);
}
