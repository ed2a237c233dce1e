/* /v1/friends: friends and friend requests in both directions; inviting a friend to a table. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"

static const struct db_stmt do_unfriend = {"do_unfriend", "SELECT code FROM do_unfriend($1, $2)", 2};

static const struct db_stmt do_invite = {"do_invite_friend", "SELECT code FROM do_invite_friend($1, $2, $3)",
                                         3};

static enum api_next reply_unfriend(struct api_request *request, const PGresult *rows)
{
    (void)rows; /* removing a player who was not a friend is not an error */
    return api_reply_empty(request);
}

static enum api_next bind_invite(struct api_request *request)
{
    int64_t table;
    if (api_bind_player_and_id(request) == API_DONE || !api_param_id(request, 1, &table))
        return API_DONE;
    db_args_int(&request->args, table);
    return API_QUERY;
}

API_OPERATION(unfriend) = {
    .stmt = &do_unfriend, .writes = true, .begin = api_bind_player_and_id, .reply = reply_unfriend};
API_OPERATION(inviteFriend) = {
    .stmt = &do_invite, .writes = true, .begin = bind_invite, .reply = api_row_reply_code};
