/* /v1/me: the signed-in player and the tables he sits at. REST loops. */
#include "api/form.h"
#include "api/profile.h"
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

#include <string.h>

void profile_write(struct buf *out, const PGresult *rows)
{
    row_id(out, rows, 0, "id");
    row_text(out, rows, 0, "nickname");
    row_text(out, rows, 0, "avatar");
    row_text(out, rows, 0, "kind");
    row_int(out, rows, 0, "level");
    row_text(out, rows, 0, "title");
    row_int(out, rows, 0, "clover_points");
    row_int(out, rows, 0, "level_points");
    row_int(out, rows, 0, "level_points_needed");
    json_key(out, "rating");
    json_open(out, '{');
    const char *rating = row_get(rows, 0, "rating");
    json_key(out, "value");
    json_raw(out, rating ? rating : "null");
    json_kv_num(out, "games", row_get_int(rows, 0, "rating_games"));
    json_close(out, '}');
    row_time(out, rows, 0, "created_at");
}

static enum api_next reply_profile(struct api_call *call, const PGresult *rows)
{
    struct buf *out = api_reply_json(call, 200);
    profile_write(out, rows);
    json_close(out, '}');
    return API_DONE;
}

/* GET /v1/me */

static const struct db_stmt q_me = {"q_me", "SELECT * FROM q_me($1)", 1};

static enum api_next reply_me(struct api_call *call, const PGresult *rows)
{
    if (PQntuples(rows) == 0) /* the account was deleted after the token was made */
        return api_refuse(call, API_TOKEN_INVALID);
    return reply_profile(call, rows);
}

/* PATCH /v1/me */

static const struct spec_member change_members[] = {
    PROFILE_NICKNAME(false),
    {.name = "avatar",
     .type = SPEC_TEXT,
     .min = 1,
     .max = 32,
     .form = form_name,
     .form_is = "must be a name of a-z, digits and _"},
};
static const struct spec change_spec = {change_members, ARRAY_LEN(change_members), 1024, false};

static const struct db_stmt do_change_me = {"do_change_me", "SELECT * FROM do_change_me($1, $2, $3)", 3};

static enum api_next bind_change(struct api_call *call)
{
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->body[0].text);
    db_args_text(&call->args, call->body[1].text);
    return API_QUERY;
}

static enum api_next reply_change(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    return strcmp(code, "ok") == 0 ? reply_profile(call, rows) : api_refuse_sql(call, code);
}

/* GET /v1/me/tables */

static const struct db_stmt q_my_tables = {"q_my_tables",
                                           "SELECT t.id AS table_id, t.variant, t.room_id AS room, t.code, "
                                           "s.seat, t.state FROM seats s JOIN tables t ON t.id = "
                                           "s.table_id "
                                           "WHERE s.player_id = $1 AND s.live ORDER BY t.id DESC",
                                           1};

static void write_my_table(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    row_id(out, rows, i, "table_id");
    row_text(out, rows, i, "variant");
    row_text(out, rows, i, "room");
    row_text(out, rows, i, "code");
    row_int(out, rows, i, "seat");
    row_text(out, rows, i, "state");
    json_close(out, '}');
}

static enum api_next reply_my_tables(struct api_call *call, const PGresult *rows)
{
    struct buf *out = api_reply_json(call, 200);
    row_list(out, "items", rows, 0, PQntuples(rows), write_my_table);
    json_close(out, '}');
    return API_DONE;
}

const struct api_route api_me_routes[] = {
    {.method = "GET",
     .path = "/v1/me",
     .id = "getMe",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_me,
     .begin = api_bind_player,
     .reply = reply_me},
    {.method = "PATCH",
     .path = "/v1/me",
     .id = "changeMe",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .body = &change_spec,
     .stmt = &do_change_me,
     .writes = true,
     .begin = bind_change,
     .reply = reply_change},
    {.method = "GET",
     .path = "/v1/me/tables",
     .id = "listMyTables",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_my_tables,
     .begin = api_bind_player,
     .reply = reply_my_tables},
};
const size_t api_me_routes_n = ARRAY_LEN(api_me_routes);
