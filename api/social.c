/* What a player is to others and what he is told: public profiles, achievements, friends, invitations,
 * notifications. REST loops. */
#include "api/form.h"
#include "api/page.h"
#include "api/profile.h"
#include "api/resources.h"
#include "api/rows.h"
#include "api/tree.h"
#include "base/bug.h"

#include <string.h>

/* GET /v1/players/{player} */

static const struct db_stmt q_player = {"q_player", "SELECT code, body FROM q_player($1)", 1};

/* GET /v1/me/achievements */

static const struct db_stmt q_achievements = {"q_achievements", "SELECT code, body FROM q_achievements($1)",
                                              1};

/* --- friends --- */

static const struct db_stmt q_friends = {"q_friends", "SELECT code, body FROM q_friends($1)", 1};
static const struct db_stmt do_befriend = {"do_befriend", "SELECT code, body FROM do_befriend($1, $2)", 2};
static const struct db_stmt do_unfriend = {"do_unfriend", "SELECT code FROM do_unfriend($1, $2)", 2};

static enum api_next reply_unfriend(struct api_call *call, const PGresult *rows)
{
    (void)rows; /* whoever was no friend before is none now */
    return api_reply_empty(call);
}

/* --- invitations --- */

static const struct db_stmt do_invites = {"do_invites", "SELECT code, body FROM do_invites($1)", 1};
static const struct db_stmt do_accept = {"do_accept_invite",
                                         "SELECT code, body FROM do_accept_invite($1, $2, $3, $4)", 4};

static const struct spec_member accept_members[] = {INVITE_CODE("code", true)};
static const struct spec accept_spec = {accept_members, ARRAY_LEN(accept_members), 256, false};

static enum api_next bind_accept(struct api_call *call)
{
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->body[0].text);
    db_args_text(&call->args, call->idempotency_key);
    db_args_bytes(&call->args, call->body_hash, sizeof(call->body_hash));
    return API_QUERY;
}

/* --- notifications --- */

static const char list_notices[] = "notifications";

static const struct db_stmt q_notices = {"q_notifications",
                                         "SELECT id, body FROM q_notifications($1, $2, $3)", 3};
static const struct db_stmt do_read = {"do_read_notifications",
                                       "SELECT code, body FROM do_read_notifications($1, $2)", 2};

static bool form_id(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static const struct spec_member read_members[] = {
    {.name = "up_to",
     .type = SPEC_TEXT,
     .required = true,
     .min = 1,
     .max = 18,
     .form = form_id,
     .form_is = "must be the id of a notification"},
};
static const struct spec read_spec = {read_members, ARRAY_LEN(read_members), 256, false};

static enum api_next bind_notices(struct api_call *call)
{
    return page_bind(call, list_notices);
}

static void write_notice(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, row_get(rows, i, "body"));
}

static enum api_next reply_notices(struct api_call *call, const PGresult *rows)
{
    return page_reply(call, list_notices, rows, write_notice);
}

static enum api_next bind_read(struct api_call *call)
{
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->body[0].text);
    return API_QUERY;
}

#define READ .role = API_PLAYER, .rate = API_RATE_READ
#define WRITE .role = API_PLAYER, .rate = API_RATE_WRITE, .writes = true

const struct api_route api_social_routes[] = {
    {.method = "GET",
     .path = "/v1/players/{player}",
     .id = "getPlayer",
     .tagged = true,
     READ,
     .stmt = &q_player,
     .begin = api_bind_id,
     .reply = tree_reply},
    {.method = "GET",
     .path = "/v1/me/achievements",
     .id = "listAchievements",
     .tagged = true,
     READ,
     .stmt = &q_achievements,
     .begin = api_bind_player,
     .reply = tree_reply},
    {.method = "GET",
     .path = "/v1/friends",
     .id = "listFriends",
     READ,
     .stmt = &q_friends,
     .begin = api_bind_player,
     .reply = tree_reply},
    {.method = "PUT",
     .path = "/v1/friends/{player}",
     .id = "befriend",
     WRITE,
     .stmt = &do_befriend,
     .begin = api_bind_player_and_id,
     .reply = tree_reply},
    {.method = "DELETE",
     .path = "/v1/friends/{player}",
     .id = "unfriend",
     WRITE,
     .stmt = &do_unfriend,
     .begin = api_bind_player_and_id,
     .reply = reply_unfriend},
    {.method = "GET",
     .path = "/v1/invites",
     .id = "listInvites",
     WRITE, /* the first time makes the player's code */
     .stmt = &do_invites,
     .begin = api_bind_player,
     .reply = tree_reply},
    {.method = "POST",
     .path = "/v1/invites/accept",
     .id = "acceptInvite",
     WRITE,
     .idempotent = true,
     .body = &accept_spec,
     .stmt = &do_accept,
     .begin = bind_accept,
     .reply = tree_reply},
    {.method = "GET",
     .path = "/v1/notifications",
     .id = "listNotifications",
     READ,
     .stmt = &q_notices,
     .begin = bind_notices,
     .reply = reply_notices},
    {.method = "POST",
     .path = "/v1/notifications/read",
     .id = "readNotifications",
     WRITE,
     .body = &read_spec,
     .stmt = &do_read,
     .begin = bind_read,
     .reply = tree_reply},
};
const size_t api_social_routes_n = ARRAY_LEN(api_social_routes);
