/* /v1/leaderboards: a page, those around the player, his friends. REST loops. */
#include "api/form.h"
#include "api/resources.h"
#include "api/tree.h"
#include "base/bug.h"

#include <string.h>

static const struct db_stmt q_board = {
    "q_board", "SELECT code, body, at1, at2, at3 FROM q_board($1, $2, $3, $4, $5, $6, $7, $8)", 8};
static const struct db_stmt q_around = {"q_board_around",
                                        "SELECT code, body FROM q_board_around($1, $2, $3, $4)", 4};
static const struct db_stmt q_friends = {
    "q_board_friends",
    "SELECT code, body, at1, at2, at3 FROM q_board_friends($1, $2, $3, $4, $5, $6, $7, $8)", 8};

/* The reader and the three names of the path; which boards there are the database knows. */
static enum api_next bind_names(struct api_call *call)
{
    if (!form_name(call->params[0]) || !form_name(call->params[1]))
        return api_refuse(call, API_NO_SUCH_BOARD);
    if (!form_token(call->params[2]))
        return api_refuse(call, API_NO_SUCH_PERIOD);
    db_args_int(&call->args, call->player_id);
    for (int i = 0; i < 3; i++)
        db_args_text(&call->args, call->params[i]);
    return API_QUERY;
}

static enum api_next bind_page(struct api_call *call)
{
    return bind_names(call) == API_DONE ? API_DONE : tree_page_bind(call);
}

const struct api_route api_boards_routes[] = {
    {.method = "GET",
     .path = "/v1/leaderboards/{variant}/{board}/{period}",
     .id = "getLeaderboard",
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_board,
     .begin = bind_page,
     .reply = tree_page_reply},
    {.method = "GET",
     .path = "/v1/leaderboards/{variant}/{board}/{period}/around",
     .id = "getLeaderboardAround",
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_around,
     .begin = bind_names,
     .reply = tree_reply},
    {.method = "GET",
     .path = "/v1/leaderboards/{variant}/{board}/{period}/friends",
     .id = "getLeaderboardFriends",
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_friends,
     .begin = bind_page,
     .reply = tree_page_reply},
};
const size_t api_boards_routes_n = ARRAY_LEN(api_boards_routes);
