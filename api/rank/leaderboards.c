/* /v1/leaderboards: a page, the players around the reader, or their friends. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/validators.h"
#include "base/bug.h"

#include <string.h>

static const struct db_stmt q_board = {
    "q_board", "SELECT code, body, at1, at2, at3 FROM q_board($1, $2, $3, $4, $5, $6, $7, $8)", 8};
static const struct db_stmt q_around = {"q_board_around",
                                        "SELECT code, body FROM q_board_around($1, $2, $3, $4)", 4};
static const struct db_stmt q_friends = {
    "q_board_friends",
    "SELECT code, body, at1, at2, at3 FROM q_board_friends($1, $2, $3, $4, $5, $6, $7, $8)", 8};

/* The reader and the three names in the path; only the database knows which leaderboards exist. */
static enum api_next bind_names(struct api_request *request)
{
    if (!api_valid_name(request->params[0]) || !api_valid_name(request->params[1]))
        return api_refuse(request, API_NO_SUCH_BOARD);
    if (!api_valid_token(request->params[2]))
        return api_refuse(request, API_NO_SUCH_PERIOD);
    db_args_int(&request->args, request->player_id);
    for (int i = 0; i < 3; i++)
        db_args_text(&request->args, request->params[i]);
    return API_QUERY;
}

static enum api_next bind_page(struct api_request *request)
{
    return bind_names(request) == API_DONE ? API_DONE : api_json_page_bind(request);
}

API_OPERATION(getLeaderboard) = {.stmt = &q_board, .begin = bind_page, .reply = api_json_page_reply};
API_OPERATION(getLeaderboardAround) = {.stmt = &q_around, .begin = bind_names, .reply = api_json_reply};
API_OPERATION(getLeaderboardFriends) = {.stmt = &q_friends, .begin = bind_page, .reply = api_json_page_reply};
