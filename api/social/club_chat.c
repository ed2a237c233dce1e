/* /v1/clubs/{club}/chat: members' messages to their club (docs/clubs.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"
#include "base/free_text.h"

static const struct db_stmt do_chat = {
    "do_club_chat", "SELECT code, body, " API_REPEATED " FROM do_club_chat($1, $2, $3, $4, $5)", 5};
static const struct db_stmt do_delete = {"do_delete_club_line",
                                         "SELECT code FROM do_delete_club_line($1, $2, $3)", 3};

static enum api_next bind_say(struct api_request *request)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    db_args_text(&request->args, request->body[CLUB_MESSAGE_REQUEST_TEXT].text);
    api_bind_idempotency(request);
    return API_QUERY;
}

static enum api_next reply_say(struct api_request *request, const PGresult *rows)
{
    return api_json_reply_as(request, rows, 201);
}

static enum api_next bind_line(struct api_request *request)
{
    int64_t line;
    if (api_bind_player_and_id(request) == API_DONE || !api_param_id(request, 1, &line))
        return API_DONE;
    db_args_int(&request->args, line);
    return API_QUERY;
}

API_OPERATION(sayInClub) = {.stmt = &do_chat, .writes = true, .begin = bind_say, .reply = reply_say};
API_OPERATION(deleteClubMessage) = {
    .stmt = &do_delete, .writes = true, .begin = bind_line, .reply = api_row_reply_code};
