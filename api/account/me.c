/* /v1/me: the signed-in player and their tables. REST loops. */
#include "api/account/me.h"

#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/names/nickname.h"
#include "api/names/profile.h"
#include "base/bug.h"

#include <string.h>

static enum api_next reply_profile(struct api_request *request, const PGresult *rows)
{
    struct buf *out = api_reply_open(request, 200);
    api_profile_write(out, rows);
    json_close(out, '}');
    return API_DONE;
}

/* GET /v1/me */

static const struct db_stmt q_me = {"q_me", "SELECT * FROM q_me($1)", 1};

/* q_me for several players, one after another. OFFSET 0 enforces this, no matter how the planner estimates
 * table sizes. Row estimates for generate_subscripts() are the same for every array, so that PostgreSQL
 * reuses one plan. */
static const struct db_stmt me_of_several = {
    "me_of_several",
    "SELECT q.* FROM generate_subscripts($1::bigint[], 1) AS i "
    "LEFT JOIN LATERAL (SELECT * FROM q_me(($1::bigint[])[i]) OFFSET 0) q ON true ORDER BY i",
    1};

const struct db_batch_stmt api_me_batch_stmt = {.one = &q_me,
                                                .many = &me_of_several,
                                                .kinds = {DB_BATCH_INT},
                                                .distinct = DB_BATCH_ANY,
                                                .may_lack = true};

static enum api_next reply_me(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0) /* the account was deleted after the token was issued */
        return api_refuse(request, API_TOKEN_INVALID);
    return reply_profile(request, rows);
}

/* PATCH /v1/me */

static const struct db_stmt do_change_me = {"do_change_me", "SELECT * FROM do_change_me($1, $2, $3, $4)", 4};

static enum api_next bind_change(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    api_nickname_bind(request, request->body[ME_CHANGE_NICKNAME].text);
    db_args_text(&request->args, request->body[ME_CHANGE_AVATAR].text);
    db_args_text(&request->args, request->body[ME_CHANGE_LANGUAGE].text);
    return API_QUERY;
}

static enum api_next reply_change(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") == 0)
        return reply_profile(request, rows);
    return api_nickname_refused(request, code, api_row_get_int(rows, 0, "nickname_changes_at"))
               ? API_DONE
               : api_refuse_sql(request, code);
}

/* GET /v1/me/tables */

static const struct db_stmt tables_of_player = {
    "tables_of_player",
    "SELECT t.id AS table_id, t.variant, t.room_id AS room, t.code, s.seat, t.state, t.turn_hours, "
    "coalesce(owner_ws_url(t.id), $2) || '/ws/tables/' || t.id AS ws_url, w.awaited, "
    "w.ends_at, t.tournament_id, c.name AS tournament FROM seats s JOIN tables t ON t.id = s.table_id "
    "LEFT JOIN tournaments c ON c.id = t.tournament_id "
    "LEFT JOIN LATERAL (SELECT to_json(array_agg(seat ORDER BY seat)) AS awaited, "
    "CASE WHEN bool_and(due_at IS NOT NULL) THEN " API_ROW_MS(
        "max(due_at)") " END AS ends_at "
                       "FROM slow_turns WHERE table_id = t.id) w ON t.turn_hours IS NOT NULL "
                       "WHERE s.player_id = $1 AND s.live AND s.left_at IS NULL ORDER BY t.id DESC",
    2};

/* Writes the seats for which a correspondence table waits. */
static void write_turn(struct buf *out, const PGresult *rows, int i)
{
    const char *seats = api_row_get(rows, i, "awaited");
    json_key(out, "turn");
    if (!seats) {
        json_nil(out);
        return;
    }
    json_open(out, '{');
    json_key(out, "seats");
    json_raw(out, seats);
    api_row_time(out, rows, i, "ends_at");
    json_close(out, '}');
}

static void write_tournament(struct buf *out, const PGresult *rows, int i)
{
    const char *name = api_row_get(rows, i, "tournament");
    json_key(out, "tournament");
    if (!name) {
        json_nil(out);
        return;
    }
    json_open(out, '{');
    json_kv_text(out, "id", api_row_get(rows, i, "tournament_id"));
    json_kv_text(out, "name", name);
    json_close(out, '}');
}

static void write_my_table(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    api_row_id(out, rows, i, "table_id");
    api_row_text(out, rows, i, "variant");
    api_row_text(out, rows, i, "room");
    api_row_text(out, rows, i, "code");
    api_row_int(out, rows, i, "seat");
    api_row_text(out, rows, i, "state");
    api_row_int(out, rows, i, "turn_hours");
    api_row_text(out, rows, i, "ws_url");
    write_turn(out, rows, i);
    write_tournament(out, rows, i);
    json_close(out, '}');
}

static enum api_next bind_my_tables(struct api_request *request)
{
    (void)api_bind_player(request);
    db_args_text(&request->args, request->env->ws_url);
    return API_QUERY;
}

static enum api_next reply_my_tables(struct api_request *request, const PGresult *rows)
{
    struct buf *out = api_reply_open(request, 200);
    api_row_list(out, "items", rows, 0, PQntuples(rows), write_my_table);
    json_close(out, '}');
    return API_DONE;
}

API_OPERATION(getMe) = {.stmt = &q_me, .begin = api_bind_player, .reply = reply_me};
API_OPERATION(changeMe) = {
    .stmt = &do_change_me, .writes = true, .begin = bind_change, .reply = reply_change};
API_OPERATION(listMyTables) = {.stmt = &tables_of_player, .begin = bind_my_tables, .reply = reply_my_tables};
