/* GET /v1/me/achievements: each with the player's progress. REST loops. */
#include "api/json_reply.h"
#include "api/operations.h"
#include "base/bug.h"

static const struct db_stmt q_achievements = {"q_achievements", "SELECT code, body FROM q_achievements($1)",
                                              1};

API_OPERATION(listAchievements) = {
    .stmt = &q_achievements, .begin = api_bind_player, .reply = api_json_reply};
