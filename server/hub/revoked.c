/* The sockets and seats affected by bans and ended sessions; see revoked.h. Hub thread. */
#include "server/hub/revoked.h"

#include "server/hub/hub_in.h"

int srv_hub_revoked(const struct srv_hub *hub, int64_t player_id, int64_t session_id)
{
    if (api_revoked_has(hub->revoked, API_BANNED_PLAYERS, player_id))
        return WIRE_CLOSE_FORBIDDEN;
    return api_revoked_has(hub->revoked, API_ENDED_SESSIONS, session_id) ? WIRE_CLOSE_SESSION_ENDED : 0;
}

uint8_t srv_hub_banned_seats(const struct srv_hub *hub, const struct tab_table *table)
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
    uint8_t seats = table->state == TAB_PLAYING ? srv_hub_banned_seats(hub, table) : 0;
    for (uint8_t i = 0; i < table->seats_n && table->state == TAB_PLAYING; i++)
        if ((seats >> i & 1) != 0 && !tab_has_left(table, i))
            tab_command(table, &(struct tab_command){.kind = TAB_DO_LEAVE, .seat = i});
}
