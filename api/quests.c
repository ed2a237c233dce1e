/* GET /v1/me/quests: this week's quests, and the player's progress. REST loops. */
#include "api/json_reply.h"
#include "api/operations.h"
#include "base/bug.h"

static const struct db_stmt q_quests = {"q_quests", "SELECT code, body FROM q_quests($1)", 1};

API_OPERATION(listQuests) = {.stmt = &q_quests, .begin = api_bind_player, .reply = api_json_reply};
