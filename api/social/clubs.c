/* /v1/clubs: create, find, and change clubs; their leaderboards (docs/clubs.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/core/rows.h"
#include "api/core/unicode.h"
#include "api/core/validators.h"
#include "api/names/nickname.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

/* --- GET /v1/clubs, GET /v1/clubs/{club}/leaderboards/… --- */

static const struct db_stmt q_clubs = {"q_clubs", "SELECT id, body FROM q_clubs($1, $2, $3, $4)", 4};
static const struct db_stmt q_board = {
    "q_club_board", "SELECT code, body, at1, at2, at3 FROM q_club_board($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    9};

static enum api_next bind_list(struct api_request *request)
{
    struct api_name name;
    const char *q = request->q;
    if (q && (!text_utf8_ok(q, strlen(q)) || api_unicode_length(q) < 1 || !api_name_make(q, &name)))
        return api_fail_parameter(request, "q", API_FAULT_BAD_TEXT, 1, API_NAME_BYTES_MAX);
    if (api_page_bind(request) == API_DONE)
        return API_DONE;
    api_nickname_bind(request, q);
    return API_QUERY;
}

static enum api_next bind_board(struct api_request *request)
{
    if (!api_valid_name(request->params[1]) || !api_valid_name(request->params[2]))
        return api_refuse(request, API_NO_SUCH_BOARD);
    if (!api_valid_token(request->params[3]))
        return api_refuse(request, API_NO_SUCH_PERIOD);
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    for (int i = 1; i < 4; i++)
        db_args_text(&request->args, request->params[i]);
    return api_json_page_bind(request);
}

/* --- POST /v1/clubs, PATCH /v1/clubs/{club} --- */

static const struct db_stmt do_create = {
    "do_create_club", "SELECT code, body, " API_REPEATED " FROM do_create_club($1, $2, $3, $4, $5, $6)", 6};
static const struct db_stmt do_change = {"do_change_club",
                                         "SELECT code, body FROM do_change_club($1, $2, $3, $4, $5, $6)", 6};
static enum api_next bind_create(struct api_request *request)
{
    const struct api_spec_value *body = request->body;
    (void)api_bind_player(request);
    api_nickname_bind(request, body[CLUB_REQUEST_NAME].text);
    db_args_text(&request->args, body[CLUB_REQUEST_ABOUT].set ? body[CLUB_REQUEST_ABOUT].text : "");
    db_args_text(&request->args, body[CLUB_REQUEST_JOINING].set ? body[CLUB_REQUEST_JOINING].text : "ask");
    api_bind_idempotency(request);
    return API_QUERY;
}

static void bind_text_or_null(struct api_request *request, const struct api_spec_value *value)
{
    if (value->set)
        db_args_text(&request->args, value->text);
    else
        db_args_null(&request->args);
}

static enum api_next bind_change(struct api_request *request)
{
    const struct api_spec_value *body = request->body;
    int64_t owner;
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    api_nickname_bind(request, body[CLUB_CHANGE_NAME].set ? body[CLUB_CHANGE_NAME].text : NULL);
    bind_text_or_null(request, &body[CLUB_CHANGE_ABOUT]);
    bind_text_or_null(request, &body[CLUB_CHANGE_JOINING]);
    if (body[CLUB_CHANGE_OWNER_ID].set && text_i64(body[CLUB_CHANGE_OWNER_ID].text, 1, INT64_MAX, &owner))
        db_args_int(&request->args, owner);
    else
        db_args_null(&request->args);
    return API_QUERY;
}

API_OPERATION(listClubs) = {.stmt = &q_clubs, .begin = bind_list, .reply = api_json_list_reply};
API_OPERATION(getClubLeaderboard) = {.stmt = &q_board, .begin = bind_board, .reply = api_json_page_reply};
API_OPERATION(createClub) = {
    .stmt = &do_create, .writes = true, .begin = bind_create, .reply = api_json_reply};
API_OPERATION(changeClub) = {
    .stmt = &do_change, .writes = true, .begin = bind_change, .reply = api_json_reply};
