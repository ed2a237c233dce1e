/* /v1/invites: the code a player invites with, whom it brought, and naming who invited. REST loops. */
#include "api/json_reply.h"
#include "api/profile.h"
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

static const struct db_stmt q_invites = {"q_invites", "SELECT code, body FROM q_invites($1)", 1};
static const struct db_stmt do_invites = {"do_invites", "SELECT code, body FROM do_invites($1)", 1};
static const struct db_stmt do_accept = {
    "do_accept_invite", "SELECT code, body, " API_REPEATED " FROM do_accept_invite($1, $2, $3, $4)", 4};

static const struct api_spec_member accept_members[] = {API_INVITE_CODE_MEMBER("code", true)};
static const struct api_spec accept_spec = {accept_members, ARRAY_LEN(accept_members), 256, false};

static enum api_next bind_accept(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, request->body[0].text);
    api_bind_idempotency(request);
    return API_QUERY;
}

#define WRITE .role = API_PLAYER, .rate = API_RATE_WRITE, .writes = true

const struct api_route api_invites_routes[] = {
    {.method = "GET",
     .path = "/v1/invites",
     .id = "listInvites",
     .secret = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_invites,
     .begin = api_bind_player,
     .reply = api_json_reply},
    {.method = "POST", /* a player has one code, so a repeat needs no key */
     .path = "/v1/invites",
     .id = "makeInviteCode",
     WRITE,
     .stmt = &do_invites,
     .begin = api_bind_player,
     .reply = api_json_reply},
    {.method = "PUT",
     .path = "/v1/me/invitation",
     .id = "acceptInvitation",
     WRITE,
     .idempotent = true,
     .body = &accept_spec,
     .stmt = &do_accept,
     .begin = bind_accept,
     .reply = api_json_reply},
};
const size_t api_invites_routes_n = ARRAY_LEN(api_invites_routes);
