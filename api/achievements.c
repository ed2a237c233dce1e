/* GET /v1/me/achievements: each with the player's progress. REST loops. */
#include "api/json_reply.h"
#include "api/resources.h"
#include "base/bug.h"

static const struct db_stmt q_achievements = {"q_achievements", "SELECT code, body FROM q_achievements($1)",
                                              1};

const struct api_route api_achievements_routes[] = {
    {.method = "GET",
     .path = "/v1/me/achievements",
     .id = "listAchievements",
     .standby = true,
     .scope = API_SCOPE_READ,
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_achievements,
     .begin = api_bind_player,
     .reply = api_json_reply},
};
const size_t api_achievements_routes_n = ARRAY_LEN(api_achievements_routes);
