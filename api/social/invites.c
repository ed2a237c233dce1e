/* /v1/invites: the player's invitation code, the players invited with it, the owner of a code, and entering
 * the inviter's code. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/names/profile.h"
#include "base/bug.h"

#include <string.h>

static const struct db_stmt q_invite_link = {"q_invite_link", "SELECT code, body FROM q_invite_link($1)", 1};

static enum api_next bind_link(struct api_request *request)
{
    const char *code = request->params[0];
    if (strlen(code) != ACCEPT_INVITE_CODE_MAX || !api_valid_token(code))
        return api_fail_parameter(request, "invite", API_FAULT_BAD_CODE, 0, 0);
    db_args_text(&request->args, code);
    return API_QUERY;
}

API_OPERATION(getInviteLink) = {.stmt = &q_invite_link, .begin = bind_link, .reply = api_json_reply};
