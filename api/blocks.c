/* Whom a player does not want to hear (muted) or to be seated with (blocked). REST loops. */
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

#include <string.h>

enum { BLOCKS_MAX = 1000 };

/* --- PUT and DELETE /v1/players/{player}/mute, …/block --- */

static const struct db_stmt do_block = {"do_block",
                                        "SELECT code, muted, blocked FROM do_block($1, $2, $3, $4)", 4};

enum what { MUTED, BLOCKED, WHATS_N };

/* Sets one of the two; the other stays as it is. */
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
    struct buf *out = api_reply_open(request, 200);
    json_kv_text(out, "player_id", request->params[0]);
    api_row_bool(out, rows, 0, "muted");
    api_row_bool(out, rows, 0, "blocked");
    json_close(out, '}');
    return API_DONE;
}

/* --- GET /v1/me/blocks --- */

static const struct db_stmt blocks_of_player = {
    "blocks_of_player",
    "SELECT b.other_id AS player_id, p.nickname, b.muted, b.blocked FROM player_blocks b JOIN players p ON "
    "p.id = "
    "b.other_id WHERE b.player_id = $1 ORDER BY b.at DESC, b.other_id LIMIT $2",
    2};

static enum api_next bind_blocks(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, BLOCKS_MAX);
    return API_QUERY;
}

static void write_block(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    api_row_id(out, rows, i, "player_id");
    api_row_text(out, rows, i, "nickname");
    api_row_bool(out, rows, i, "muted");
    api_row_bool(out, rows, i, "blocked");
    json_close(out, '}');
}

static enum api_next reply_blocks(struct api_request *request, const PGresult *rows)
{
    struct buf *out = api_reply_open(request, 200);
    api_row_list(out, "items", rows, 0, PQntuples(rows), write_block);
    json_close(out, '}');
    return API_DONE;
}

#define WRITE .role = API_PLAYER, .rate = API_RATE_WRITE, .writes = true

const struct api_route api_blocks_routes[] = {
    {.method = "PUT",
     .path = "/v1/players/{player}/mute",
     .id = "mutePlayer",
     WRITE,
     .stmt = &do_block,
     .begin = bind_mute,
     .reply = reply_change},
    {.method = "DELETE",
     .path = "/v1/players/{player}/mute",
     .id = "unmutePlayer",
     WRITE,
     .stmt = &do_block,
     .begin = bind_unmute,
     .reply = reply_change},
    {.method = "PUT",
     .path = "/v1/players/{player}/block",
     .id = "blockPlayer",
     WRITE,
     .stmt = &do_block,
     .begin = bind_block,
     .reply = reply_change},
    {.method = "DELETE",
     .path = "/v1/players/{player}/block",
     .id = "unblockPlayer",
     WRITE,
     .stmt = &do_block,
     .begin = bind_unblock,
     .reply = reply_change},
    {.method = "GET",
     .path = "/v1/me/blocks",
     .id = "listBlocks",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &blocks_of_player,
     .begin = bind_blocks,
     .reply = reply_blocks},
};
const size_t api_blocks_routes_n = ARRAY_LEN(api_blocks_routes);
