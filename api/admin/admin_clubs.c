/* /v1/admin/clubs: renaming clubs and clearing their texts (docs/clubs.md). REST loops. */
#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/names/nickname.h"
#include "base/bug.h"

static const struct db_stmt do_change = {
    "do_admin_change_club",
    "SELECT code, body, " API_REPEATED " FROM do_admin_change_club($1, $2, $3, $4, $5, $6)", 6};
/* --- POST /v1/admin/clubs/{club}/rename, …/clear --- */

static enum api_next bind_rename(struct api_request *request)
{
    if (api_admin_bind_action_on(request) == API_DONE)
        return API_DONE;
    api_nickname_bind(request, request->body[CLUB_RENAME_REQUEST_NAME].text);
    db_args_text(&request->args, request->body[CLUB_RENAME_REQUEST_REASON].text);
    return API_QUERY;
}

static enum api_next bind_clear(struct api_request *request)
{
    if (api_admin_bind_action_on(request) == API_DONE)
        return API_DONE;
    api_nickname_bind(request, NULL);
    api_admin_bind_body(request);
    return API_QUERY;
}

API_OPERATION(renameClub) = {
    .stmt = &do_change, .writes = true, .begin = bind_rename, .reply = api_json_reply};
API_OPERATION(clearClub) = {.stmt = &do_change, .writes = true, .begin = bind_clear, .reply = api_json_reply};
