/* Pending connections; see pending.h. */
#include "server/ws/pending.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/thread.h"
#include "server/operations/metrics.h"

void srv_ws_acceptor_resume(struct srv_ws_acceptor *acceptor)
{
    ASSERT(acceptor->paused && acceptor->fd >= 0);
    acceptor->paused = false;
    ev_io_start(acceptor->loop, &acceptor->readable);
    srv_metric_set(METRIC_WS_PAUSED, 0);
}

/* Whether to resume accepting. Resumes only once 1/8 of the slots are free, because accepting connections
 * one by one would cost a loop iteration and two changes of the poll set each. */
static bool has_room(const struct srv_ws_acceptor *acceptor)
{
    return acceptor->waiting_n <= acceptor->waiting_max - acceptor->waiting_max / 8 &&
           acceptor->waiting_n < acceptor->waiting_max;
}

/* ---- Pending connections ---- */
void srv_ws_pending_has_handshake(struct srv_ws_pending *pending)
{
    struct srv_ws_acceptor *acceptor = pending->acceptor;
    if (!pending->in_handshake)
        return;
    pending->in_handshake = false;
    if (pending->prev)
        pending->prev->next = pending->next;
    else
        acceptor->first = pending->next;
    if (pending->next)
        pending->next->prev = pending->prev;
    else
        acceptor->last = pending->prev;
    pending->prev = pending->next = NULL;
}

void srv_ws_pending_end(struct srv_ws_pending *pending)
{
    struct srv_ws_acceptor *acceptor = pending->acceptor;
    ASSERT(thread_is(THREAD_HUB) && acceptor->waiting_n > 0);
    srv_ws_pending_has_handshake(pending);
    if (pending->hooked)
        recv_hook_clear(pending->fd);
    if (pending->counted)
        srv_addr_counter_remove(acceptor->addresses, &pending->addr);
    if (acceptor->adopting == pending)
        acceptor->adopting = NULL;
    free(pending);
    acceptor->waiting_n--;
    srv_metric_set(METRIC_WS_WAITING, (int64_t)acceptor->waiting_n);
    if (acceptor->paused && acceptor->paused_until_ms == 0 && acceptor->fd >= 0 && has_room(acceptor))
        srv_ws_acceptor_resume(acceptor);
}

void srv_ws_pending_leave(struct srv_ws_pending *pending)
{
    ASSERT(!pending->wsi);
    srv_ws_pending_end(pending);
}

static struct srv_ws_pending *pending_of(struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

/* Counts it for its address; false: the address has reached its limit. */
bool srv_ws_pending_count(struct srv_ws_pending *pending, const struct addr *addr)
{
    struct srv_ws_acceptor *acceptor = pending->acceptor;
    struct addr bucket = addr_bucket(addr);
    ASSERT(!pending->counted && acceptor->addresses);
    if (srv_addr_counter_count(acceptor->addresses, &bucket) >= acceptor->address_max) {
        acceptor->unlogged.by_address++;
        srv_metric_add(METRIC_WS_REFUSED_ADDRESS, 1);
        return false;
    }
    srv_addr_counter_add(acceptor->addresses, &bucket);
    pending->addr = bucket;
    pending->counted = true;
    return true;
}

const struct srv_ws_request *srv_ws_pending_request(struct lws *wsi)
{
    const struct srv_ws_pending *pending = pending_of(wsi);
    return pending ? &pending->request : NULL;
}

enum api_code srv_ws_pending_address(struct srv_ws_pending *pending, const struct srv_forwarded *headers,
                                     const char **wrong)
{
    const struct srv_proxies *proxies = &pending->acceptor->proxies;
    if (pending->counted || !srv_proxies_has(proxies, &pending->addr))
        return API_OK;
    struct addr addr = pending->addr;
    *wrong = srv_proxies_follow(proxies, headers, &addr);
    if (*wrong)
        return API_BAD_REQUEST;
    if (!pending->by_proxy || srv_proxies_has(proxies, &addr))
        return API_OK; /* no limit per address, or no client reported; proxies have no limit */
    return srv_ws_pending_count(pending, &addr) ? API_OK : API_TOO_MANY_CONNECTIONS;
}

void srv_ws_pending_upgraded(struct lws *wsi)
{
    struct srv_ws_pending *pending = pending_of(wsi);
    if (pending)
        srv_ws_pending_has_handshake(pending);
}

void srv_ws_pending_admitted(struct lws *wsi)
{
    struct srv_ws_pending *pending = pending_of(wsi);
    if (!pending)
        return;
    lws_set_opaque_user_data(wsi, NULL);
    srv_ws_pending_end(pending);
}

void srv_ws_pending_closed(struct lws *wsi)
{
    srv_ws_pending_admitted(wsi);
}
