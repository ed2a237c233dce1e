/* Connections on their way in; see visits.h. */
#include "server/ws/visits.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/thread.h"
#include "server/operations/metrics.h"

void srv_ws_door_resume(struct srv_ws_door *door)
{
    ASSERT(door->paused && door->fd >= 0);
    door->paused = false;
    ev_io_start(door->loop, &door->readable);
    srv_metric_set(METRIC_WS_PAUSED, 0);
}

/* Does not resume for every single one that leaves: otherwise an eighth of them would be accepted one by one,
 * each costing a loop iteration and two changes of the poll set. */
static bool has_room(const struct srv_ws_door *door)
{
    return door->waiting_n <= door->waiting_max - door->waiting_max / 8 &&
           door->waiting_n < door->waiting_max;
}

/* ---- Visits ---- */
void srv_ws_visit_heard(struct srv_ws_visit *visit)
{
    struct srv_ws_door *door = visit->door;
    if (!visit->knocking)
        return;
    visit->knocking = false;
    if (visit->prev)
        visit->prev->next = visit->next;
    else
        door->first = visit->next;
    if (visit->next)
        visit->next->prev = visit->prev;
    else
        door->last = visit->prev;
    visit->prev = visit->next = NULL;
}

void srv_ws_visit_end(struct srv_ws_visit *visit)
{
    struct srv_ws_door *door = visit->door;
    ASSERT(thread_is(THREAD_HUB) && door->waiting_n > 0);
    srv_ws_visit_heard(visit);
    if (visit->hooked)
        recv_hook_clear(visit->fd);
    if (visit->counted)
        srv_tally_remove(door->addresses, &visit->addr);
    if (door->adopting == visit)
        door->adopting = NULL;
    free(visit);
    door->waiting_n--;
    srv_metric_set(METRIC_WS_WAITING, (int64_t)door->waiting_n);
    if (door->paused && door->paused_until_ms == 0 && door->fd >= 0 && has_room(door))
        srv_ws_door_resume(door);
}

void srv_ws_visit_leave(struct srv_ws_visit *visit)
{
    ASSERT(!visit->wsi);
    srv_ws_visit_end(visit);
}

static struct srv_ws_visit *visit_of(struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

/* Counts it for its address; false: the address has reached its limit. */
bool srv_ws_visit_count(struct srv_ws_visit *visit, const struct addr *addr)
{
    struct srv_ws_door *door = visit->door;
    struct addr bucket = addr_bucket(addr);
    ASSERT(!visit->counted && door->addresses);
    if (srv_tally_count(door->addresses, &bucket) >= door->address_max) {
        door->told.by_address++;
        srv_metric_add(METRIC_WS_REFUSED_ADDRESS, 1);
        return false;
    }
    srv_tally_add(door->addresses, &bucket);
    visit->addr = bucket;
    visit->counted = true;
    return true;
}

const struct srv_ws_asked *srv_ws_visit_asked(struct lws *wsi)
{
    const struct srv_ws_visit *visit = visit_of(wsi);
    return visit ? &visit->asked : NULL;
}

enum api_code srv_ws_visit_address(struct srv_ws_visit *visit, const struct srv_forwarded *said,
                                   const char **wrong)
{
    const struct srv_proxies *proxies = &visit->door->proxies;
    if (visit->counted || !srv_proxies_has(proxies, &visit->addr))
        return API_OK;
    struct addr addr = visit->addr;
    *wrong = srv_proxies_follow(proxies, said, &addr);
    if (*wrong)
        return API_BAD_REQUEST;
    if (!visit->by_proxy || srv_proxies_has(proxies, &addr))
        return API_OK; /* addresses have no limit, or a proxy reported none: the proxy itself has none */
    return srv_ws_visit_count(visit, &addr) ? API_OK : API_TOO_MANY_CONNECTIONS;
}

void srv_ws_visit_shaken(struct lws *wsi)
{
    struct srv_ws_visit *visit = visit_of(wsi);
    if (visit)
        srv_ws_visit_heard(visit);
}

void srv_ws_visit_let_in(struct lws *wsi)
{
    struct srv_ws_visit *visit = visit_of(wsi);
    if (!visit)
        return;
    lws_set_opaque_user_data(wsi, NULL);
    srv_ws_visit_end(visit);
}

void srv_ws_visit_gone(struct lws *wsi)
{
    srv_ws_visit_let_in(wsi);
}
