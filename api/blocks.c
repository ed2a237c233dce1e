/* Whom a player does not want to hear (muted) or to be seated with (blocked). REST loops. */
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

#include <string.h>

enum { BLOCKS_MAX = 1000 };

/* PUT /v1/players/{player}/bar */

static const struct api_spec_member bar_members[] = {{.name = "muted", .type = API_SPEC_BOOL},
                                                     {.name = "blocked", .type = API_SPEC_BOOL}};
static const struct api_spec bar_spec = {bar_members, ARRAY_LEN(bar_members), 256, false};

static const struct db_stmt do_block = {"do_block",
                                        "SELECT code, muted, blocked FROM do_block($1, $2, $3, $4)", 4};

static enum api_next bind_bar(struct api_request *request)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    for (int i = 0; i < 2; i++)
        if (request->body[i].set)
            db_args_bool(&request->args, request->body[i].flag);
        else
            db_args_null(&request->args);
    return API_QUERY;
}

static enum api_next reply_bar(struct api_request *request, const PGresult *rows)
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

/* GET /v1/me/bars */

static const struct db_stmt blocks_of_player = {
    "blocks_of_player",
    "SELECT b.other_id AS player_id, p.nickname, b.muted, b.blocked FROM player_blocks b JOIN players p ON "
    "p.id = "
    "b.other_id WHERE b.player_id = $1 ORDER BY b.at DESC, b.other_id LIMIT $2",
    2};

static enum api_next bind_bars(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, BLOCKS_MAX);
    return API_QUERY;
}

static void write_bar(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    api_row_id(out, rows, i, "player_id");
    api_row_text(out, rows, i, "nickname");
    api_row_bool(out, rows, i, "muted");
    api_row_bool(out, rows, i, "blocked");
    json_close(out, '}');
}

static enum api_next reply_bars(struct api_request *request, const PGresult *rows)
{
    struct buf *out = api_reply_open(request, 200);
    api_row_list(out, "items", rows, 0, PQntuples(rows), write_bar);
    json_close(out, '}');
    return API_DONE;
}

const struct api_route api_blocks_routes[] = {
    {.method = "PUT",
     .path = "/v1/players/{player}/bar",
     .id = "setBar",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .body = &bar_spec,
     .stmt = &do_block,
     .writes = true,
     .begin = bind_bar,
     .reply = reply_bar},
    {.method = "GET",
     .path = "/v1/me/bars",
     .id = "listBars",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &blocks_of_player,
     .begin = bind_bars,
     .reply = reply_bars},
};
const size_t api_blocks_routes_n = ARRAY_LEN(api_blocks_routes);
