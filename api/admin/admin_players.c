/* /v1/admin/players: find and ban players. A ban takes effect at once: this process rejects the player's
 * tokens (api/signin/revoked.h), closes their sockets within a second, and frees their seats at waiting
 * tables. REST loops. */
#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/revoked.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"

#include <string.h>

/* --- GET /v1/admin/players --- */

static const struct db_stmt do_players = {
    "do_admin_players", "SELECT code, body, at1, at2, at3 FROM do_admin_players($1, $2, $3, $4, $5, $6, $7)",
    7};

static enum api_next bind_players(struct api_request *request)
{
    if (request->q &&
        strchr(request->q, '@')) /* no email addresses, because proxies log URLs; nicknames contain no @ */
        (void)api_fail_parameter(request, "q", API_FAULT_ADDRESS_IN_QUERY, 0, 0);
    return api_admin_bind_search(request);
}

/* --- POST /v1/admin/players/{player}/ban, …/unban --- */

static const struct db_stmt do_ban = {
    "do_admin_ban",
    "SELECT code, body, done, ended, " API_REPEATED " FROM do_admin_ban($1, $2, $3, $4, $5, $6)", 6};

/* Binds the action, whether to do or undo it, and the reason. */
static enum api_next bind_or_undo(struct api_request *request, bool done)
{
    if (api_admin_bind_action_on(request) == API_DONE)
        return API_DONE;
    db_args_bool(&request->args, done);
    db_args_text(&request->args, request->body[REASON_REQUEST_REASON].text);
    return API_QUERY;
}

static enum api_next bind_do(struct api_request *request)
{
    return bind_or_undo(request, true);
}

static enum api_next bind_undo(struct api_request *request)
{
    return bind_or_undo(request, false);
}

static enum api_next reply_ban_of(struct api_request *request, const PGresult *rows, bool banned)
{
    int64_t player;
    /* A repeat returns the original answer; the current state may differ. */
    if (db_bool(rows, 0, db_col(rows, "done")) && api_param_id(request, 0, &player)) {
        if (banned)
            api_revoked_add(request->env->revoked, API_BANNED_PLAYERS, player);
        else
            api_revoked_remove(request->env->revoked, API_BANNED_PLAYERS, player);
    }
    api_session_end_rows(request, rows);
    return api_json_reply(request, rows);
}

static enum api_next reply_ban(struct api_request *request, const PGresult *rows)
{
    return reply_ban_of(request, rows, true);
}

static enum api_next reply_unban(struct api_request *request, const PGresult *rows)
{
    return reply_ban_of(request, rows, false);
}

API_OPERATION(findPlayers) = {
    .stmt = &do_players, .writes = true, .begin = bind_players, .reply = api_json_page_reply};
API_OPERATION(banPlayer) = {.stmt = &do_ban, .writes = true, .begin = bind_do, .reply = reply_ban};
API_OPERATION(unbanPlayer) = {.stmt = &do_ban, .writes = true, .begin = bind_undo, .reply = reply_unban};
