/* POST /v1/auth/logout-others and /logout-everywhere. REST loops. */
#include "api/core/operations.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"

static const struct db_stmt do_end_sessions = {"do_end_sessions",
                                               "SELECT code, ended FROM do_end_sessions($1, $2)", 2};

/* The player, and the requesting session. */
static enum api_next bind_session(struct api_request *request)
{
    ASSERT(request->player_id > 0 && request->session_id > 0);
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, request->session_id);
    return API_QUERY;
}

static enum api_next bind_everywhere(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    db_args_null(&request->args);
    return API_QUERY;
}

API_OPERATION(logoutOthers) = {
    .stmt = &do_end_sessions, .writes = true, .begin = bind_session, .reply = api_session_reply_ended};
API_OPERATION(logoutEverywhere) = {
    .stmt = &do_end_sessions, .writes = true, .begin = bind_everywhere, .reply = api_session_reply_ended};
