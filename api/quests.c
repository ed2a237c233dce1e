/* GET /v1/me/quests: this week's quests, and the player's progress. REST loops. */
#include "api/json_reply.h"
#include "api/resources.h"
#include "base/bug.h"

static const struct db_stmt q_quests = {"q_quests", "SELECT code, body FROM q_quests($1)", 1};

const struct api_route api_quests_routes[] = {
    {.method = "GET",
     .path = "/v1/me/quests",
     .id = "listQuests",
     .standby = true,
     .scope = API_SCOPE_READ,
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_quests,
     .begin = api_bind_player,
     .reply = api_json_reply},
};
const size_t api_quests_routes_n = ARRAY_LEN(api_quests_routes);
