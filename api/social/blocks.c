/* Players whom a player mutes (no chat from them) or blocks (not seated with them). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/play/seats.h"
#include "base/bug.h"

#include <string.h>

/* --- PUT and DELETE /v1/players/{player}/mute, …/block --- */

static const struct db_stmt do_block = {
    "do_block", "SELECT code, muted, blocked, seats_of FROM do_block($1, $2, $3, $4)", 4};

enum what { MUTED, BLOCKED, WHATS_N };

/* Changes one of the two; the other remains unchanged. */
static enum api_next bind_change(struct api_request *request, enum what what, bool on)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    for (enum what i = MUTED; i < WHATS_N; i++)
        if (i == what)
            db_args_bool(&request->args, on);
        else
            db_args_null(&request->args);
    return API_QUERY;
}

static enum api_next bind_mute(struct api_request *request)
{
    return bind_change(request, MUTED, true);
}

static enum api_next bind_unmute(struct api_request *request)
{
    return bind_change(request, MUTED, false);
}

static enum api_next bind_block(struct api_request *request)
{
    return bind_change(request, BLOCKED, true);
}

static enum api_next bind_unblock(struct api_request *request)
{
    return bind_change(request, BLOCKED, false);
}

static enum api_next reply_change(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    api_seats_left(request, rows);
    struct buf *out = api_reply_open(request, 200);
    json_kv_text(out, "player_id", request->params[0]);
    api_row_bool(out, rows, 0, "muted");
    api_row_bool(out, rows, 0, "blocked");
    json_close(out, '}');
    return API_DONE;
}

API_OPERATION(mutePlayer) = {.stmt = &do_block, .writes = true, .begin = bind_mute, .reply = reply_change};
API_OPERATION(unmutePlayer) = {
    .stmt = &do_block, .writes = true, .begin = bind_unmute, .reply = reply_change};
API_OPERATION(blockPlayer) = {.stmt = &do_block, .writes = true, .begin = bind_block, .reply = reply_change};
API_OPERATION(unblockPlayer) = {
    .stmt = &do_block, .writes = true, .begin = bind_unblock, .reply = reply_change};
