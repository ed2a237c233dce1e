/* Applies new bans and ended sessions to the node's sockets and tables; see revoked_news.h. Hub thread. */
#include "server/hub/revoked_news.h"

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

/* The player may have left the seat: check the rows. A game does not wait for a banned player. */
static void look_at_seats(struct tab_table *table, void *arg)
{
    struct srv_hub *hub = arg;
    if (table->state == TAB_WAITING && srv_hub_banned_seats(hub, table) != 0)
        srv_hub_load(hub, table->id);
    srv_hub_leave_banned(hub, table);
}

static bool take_news(struct srv_hub *hub, enum api_revoked_kind kind)
{
    uint64_t changes = api_revoked_changes(hub->revoked, kind);
    bool news = changes != hub->heeded[kind];
    hub->heeded[kind] = changes;
    return news;
}

void srv_hub_heed_revoked(struct srv_hub *hub)
{
    ASSERT(thread_is(THREAD_HUB));
    bool banned = take_news(hub, API_BANNED_PLAYERS), ended = take_news(hub, API_ENDED_SESSIONS);
    if (hub->draining || !(banned || ended))
        return;
    srv_ws_each(hub->ws, close_revoked, hub);
    if (banned)
        tab_registry_each(&hub->registry, look_at_seats, hub);
}
