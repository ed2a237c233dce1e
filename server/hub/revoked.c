/* Applies bans and ended sessions to the node's sockets and tables; see hub_in.h. Hub thread. */
#include "base/bug.h"
#include "base/thread.h"
#include "server/hub/hub_in.h"

int srv_hub_revoked(const struct srv_hub *hub, int64_t player_id, int64_t session_id)
{
    if (api_revoked_has(hub->revoked, API_BANNED_PLAYERS, player_id))
        return WIRE_CLOSE_FORBIDDEN;
    return api_revoked_has(hub->revoked, API_ENDED_SESSIONS, session_id) ? WIRE_CLOSE_SESSION_ENDED : 0;
}

static void close_revoked(struct srv_socket *socket, void *arg)
{
    const struct srv_hub *hub = arg;
    int code = srv_hub_revoked(hub, socket->player_id, socket->session_id);
    if (code != 0)
        srv_ws_close(socket, code);
}

static uint8_t banned_seats(const struct srv_hub *hub, const struct tab_table *table)
{
    uint8_t seats = 0;
    for (uint8_t i = 0; i < table->seats_n; i++) {
        int64_t player = table->seats[i].person.player_id;
        if (player != 0 && api_revoked_has(hub->revoked, API_BANNED_PLAYERS, player))
            seats |= (uint8_t)(1u << i);
    }
    return seats;
}

void srv_hub_leave_banned(const struct srv_hub *hub, struct tab_table *table)
{
    uint8_t seats = table->state == TAB_PLAYING ? banned_seats(hub, table) : 0;
    for (uint8_t i = 0; i < table->seats_n && table->state == TAB_PLAYING; i++)
        if ((seats >> i & 1) != 0 && !tab_has_left(table, i))
            tab_command(table, &(struct tab_command){.kind = TAB_DO_LEAVE, .seat = i});
}

/* The player may have left the seat: check the rows. A game does not wait for a banned player. */
static void look_at_seats(struct tab_table *table, void *arg)
{
    struct srv_hub *hub = arg;
    if (table->state == TAB_WAITING && banned_seats(hub, table) != 0)
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
