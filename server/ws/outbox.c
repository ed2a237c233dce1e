/* The outbox of each socket; see outbox.h. */
#include "server/ws/outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/bug.h"

enum { OUT_FIRST = 1024 };

static void mark_dirty(struct srv_socket *socket)
{
    ASSERT(socket->open);
    if (socket->dirty)
        return;
    socket->dirty = true;
    socket->dirty_next = socket->ws->dirty;
    socket->ws->dirty = socket;
}

void srv_ws_outbox_drop(struct srv_socket *socket)
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

/* Space for n more bytes. NULL: the reader is too slow, or out of memory. */
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

bool srv_ws_outbox_put(struct srv_socket *socket, const struct srv_ws_piece *pieces, size_t n)
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

ssize_t srv_ws_outbox_send(const struct srv_socket *socket)
{
    ssize_t n = send(socket->fd, socket->out + LWS_PRE, socket->out_n, MSG_DONTWAIT | MSG_NOSIGNAL);
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : n;
}

void srv_ws_outbox_forget(struct srv_socket *socket)
{
    for (struct srv_socket **at = &socket->ws->dirty; socket->dirty && *at; at = &(*at)->dirty_next)
        if (*at == socket) {
            *at = socket->dirty_next;
            break;
        }
    srv_ws_outbox_drop(socket);
}

void srv_ws_outbox_free(struct srv_ws *ws)
{
    while (ws->out_spare_n > 0)
        free(ws->out_spare[--ws->out_spare_n]);
}
