/* Applies new bans and ended sessions to the node's sockets and tables; see apply_revoked.h. Hub thread. */
#include "server/hub/apply_revoked.h"

#include "base/bug.h"
#include "base/thread.h"
#include "server/hub/hub_in.h"
#include "server/hub/redemption.h"
#include "server/hub/revoked.h"

static void close_revoked(struct srv_socket *socket, void *arg)
{
    const struct srv_hub *hub = arg;
    int code = srv_hub_revoked(hub, socket->player_id, socket->session_id);
    if (code != 0)
        srv_ws_close(socket, code);
}

/* Reads a waiting table's rows again, because the banned player may have left the seat. Games do not wait
 * for banned players. */
static void check_seats(struct tab_table *table, void *arg)
{
    struct srv_hub *hub = arg;
    if (table->state == TAB_WAITING && srv_hub_banned_seats(hub, table) != 0)
        srv_hub_load(hub, table->id);
    srv_hub_leave_banned(hub, table);
}

static bool has_changed(struct srv_hub *hub, enum api_revoked_kind kind)
{
    uint64_t changes = api_revoked_changes(hub->revoked, kind);
    bool changed = changes != hub->applied[kind];
    hub->applied[kind] = changes;
    return changed;
}

void srv_hub_apply_revoked(struct srv_hub *hub)
{
    ASSERT(thread_is(THREAD_HUB));
    bool banned = has_changed(hub, API_BANNED_PLAYERS), ended = has_changed(hub, API_ENDED_SESSIONS);
    if (hub->draining || !(banned || ended))
        return;
    srv_ws_each(hub->ws, close_revoked, hub);
    if (banned)
        tab_registry_each(&hub->registry, check_seats, hub);
}
