/* Whom a player does not want to hear (muted) or to be seated with (blocked), reports of players, and what
 * was said at a table he sat at. REST loops. */
#include "api/form.h"
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

#include <string.h>

enum { BARS_MAX = 1000, CHAT_LIST_MAX = 200, REPORT_CHARS_MAX = 500 };

/* PUT /v1/players/{player}/bar */

static const struct spec_member bar_members[] = {{.name = "muted", .type = SPEC_BOOL},
                                                 {.name = "blocked", .type = SPEC_BOOL}};
static const struct spec bar_spec = {bar_members, ARRAY_LEN(bar_members), 256, false};

static const struct db_stmt do_bar = {"do_bar", "SELECT code, muted, blocked FROM do_bar($1, $2, $3, $4)", 4};

static enum api_next bind_bar(struct api_call *call)
{
    if (api_bind_player_and_id(call) == API_DONE)
        return API_DONE;
    for (int i = 0; i < 2; i++)
        if (call->body[i].set)
            db_args_bool(&call->args, call->body[i].flag);
        else
            db_args_null(&call->args);
    return API_QUERY;
}

static enum api_next reply_bar(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    struct buf *out = api_reply_json(call, 200);
    json_kv_text(out, "player_id", call->params[0]);
    row_bool(out, rows, 0, "muted");
    row_bool(out, rows, 0, "blocked");
    json_close(out, '}');
    return API_DONE;
}

/* GET /v1/me/bars */

static const struct db_stmt q_bars = {
    "q_bars",
    "SELECT b.other_id AS player_id, p.nickname, b.muted, b.blocked FROM player_bars b JOIN players p ON "
    "p.id = "
    "b.other_id WHERE b.player_id = $1 ORDER BY b.at DESC, b.other_id LIMIT $2",
    2};

static enum api_next bind_bars(struct api_call *call)
{
    db_args_int(&call->args, call->player_id);
    db_args_int(&call->args, BARS_MAX);
    return API_QUERY;
}

static void write_bar(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    row_id(out, rows, i, "player_id");
    row_text(out, rows, i, "nickname");
    row_bool(out, rows, i, "muted");
    row_bool(out, rows, i, "blocked");
    json_close(out, '}');
}

static enum api_next reply_bars(struct api_call *call, const PGresult *rows)
{
    struct buf *out = api_reply_json(call, 200);
    row_list(out, "items", rows, 0, PQntuples(rows), write_bar);
    json_close(out, '}');
    return API_DONE;
}

/* POST /v1/tables/{table}/reports */

static bool form_reason(const char *text)
{
    static const char *const reasons[] = {"insult", "cheating", "stalling", "name", "other"};
    for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
        if (strcmp(reasons[i], text) == 0)
            return true;
    return false;
}

static const struct spec_member report_members[] = {
    {.name = "seat", .type = SPEC_INT, .required = true, .min = 0, .max = 5},
    {.name = "reason",
     .type = SPEC_TEXT,
     .required = true,
     .min = 1,
     .max = 16,
     .form = form_reason,
     .form_is = "must be insult, cheating, stalling, name or other"},
    {.name = "text", .type = SPEC_TEXT, .min = 0, .max = REPORT_CHARS_MAX}};
static const struct spec report_spec = {report_members, ARRAY_LEN(report_members), 4096, false};

static const struct db_stmt do_report = {"do_report", "SELECT code, id FROM do_report($1, $2, $3, $4, $5)",
                                         5};

static enum api_next bind_report(struct api_call *call)
{
    if (api_bind_player_and_id(call) == API_DONE)
        return API_DONE;
    db_args_int(&call->args, call->body[0].number);
    db_args_text(&call->args, call->body[1].text);
    db_args_text(&call->args, call->body[2].set ? call->body[2].text : "");
    return API_QUERY;
}

static enum api_next reply_report(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    struct buf *out = api_reply_json(call, 201);
    row_id(out, rows, 0, "id");
    json_close(out, '}');
    return API_DONE;
}

/* GET /v1/tables/{table}/chat: the last of it, for those who sat there; not what the reader has muted. */

static const struct db_stmt q_chat = {
    "q_chat",
    "SELECT * FROM (SELECT c.id, c.seat, c.kind, c.text, " ROW_TIME(
        "c.at", "at") " FROM table_chat c WHERE c.table_id = $2 AND "
                      "NOT EXISTS (SELECT 1 FROM player_bars b WHERE b.player_id = $1 AND b.other_id = "
                      "c.player_id AND b.muted) "
                      "AND EXISTS (SELECT 1 FROM seats s WHERE s.table_id = $2 AND s.player_id = $1) ORDER "
                      "BY c.id DESC LIMIT $3) l "
                      "ORDER BY id",
    3};

static enum api_next bind_chat(struct api_call *call)
{
    if (api_bind_player_and_id(call) == API_DONE)
        return API_DONE;
    db_args_int(&call->args, CHAT_LIST_MAX);
    return API_QUERY;
}

static void write_said(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    row_id(out, rows, i, "id");
    row_int(out, rows, i, "seat");
    row_text(out, rows, i, "kind");
    row_text(out, rows, i, "text");
    row_time(out, rows, i, "at");
    json_close(out, '}');
}

static enum api_next reply_chat(struct api_call *call, const PGresult *rows)
{
    struct buf *out = api_reply_json(call, 200);
    row_list(out, "items", rows, 0, PQntuples(rows), write_said);
    json_close(out, '}');
    return API_DONE;
}

const struct api_route api_bars_routes[] = {
    {.method = "PUT",
     .path = "/v1/players/{player}/bar",
     .id = "setBar",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .body = &bar_spec,
     .stmt = &do_bar,
     .writes = true,
     .begin = bind_bar,
     .reply = reply_bar},
    {.method = "GET",
     .path = "/v1/me/bars",
     .id = "listBars",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_bars,
     .begin = bind_bars,
     .reply = reply_bars},
    {.method = "POST",
     .path = "/v1/tables/{table}/reports",
     .id = "reportPlayer",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .body = &report_spec,
     .stmt = &do_report,
     .writes = true,
     .begin = bind_report,
     .reply = reply_report},
    {.method = "GET",
     .path = "/v1/tables/{table}/chat",
     .id = "listChat",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_chat,
     .begin = bind_chat,
     .reply = reply_chat},
};
const size_t api_bars_routes_n = ARRAY_LEN(api_bars_routes);
