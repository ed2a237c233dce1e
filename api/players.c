/* GET /v1/players/{player}: what a player is to others. REST loops. */
#include "api/json_reply.h"
#include "api/resources.h"
#include "base/bug.h"

static const struct db_stmt q_player = {"q_player", "SELECT code, body FROM q_player($1)", 1};

const struct api_route api_players_routes[] = {
    {.method = "GET",
     .path = "/v1/players/{player}",
     .id = "getPlayer",
     .scope = API_SCOPE_READ,
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_player,
     .begin = api_bind_id,
     .reply = api_json_reply},
};
const size_t api_players_routes_n = ARRAY_LEN(api_players_routes);
