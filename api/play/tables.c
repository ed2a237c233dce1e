/* GET /v1/tables: public tables with a free seat. GET /v1/tables/{table}: a live table as the player sees
 * it, from committed state; the engine is behind a port. GET /v1/tables/by-code/{code}/link: the table of a
 * code, for anyone; /invitation: for a player. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/play/seats.h"
#include "api/play/table_rows.h"
#include "base/bug.h"

#include <stdio.h>
#include <string.h>

/* --- GET /v1/tables --- */

static const struct db_stmt list_public_tables = {
    "list_public_tables",
    "SELECT t.id, t.variant, t.options, t.seats_n AS seats, t.people_n AS people, t.bots_n AS bots, t.stake, "
    "t.point_value, t.watch_delay_ms, t.bot_accounts, t.turn_hours, "
    "p.nickname AS creator, socket_url(t.id) AS ws_url, " API_ROW_TIME(
        "t.created_at",
        "created_at") " FROM tables t JOIN players p ON p.id = "
                      "t.creator_id WHERE t.visibility = 'public' AND t.club_id IS NULL AND t.state "
                      "= 'waiting' AND t.people_n + t.bots_n < t.seats_n "
                      "AND $1::bigint > 0 AND t.id < $2 AND ($4 = '' OR "
                      "t.variant = $4) AND ($5::boolean IS NULL OR "
                      "t.bot_accounts = $5) ORDER BY t.id DESC LIMIT $3",
    5};

static enum api_next bind_tables(struct api_request *request)
{
    api_check_variant(request);
    (void)api_page_bind(request);
    db_args_text(&request->args, request->variant ? request->variant : "");
    api_bind_flag(request, "bot_accounts", request->bot_accounts);
    return request->code == API_OK ? API_QUERY : API_DONE;
}

static void write_table(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    json_key(out, "table_id");
    json_text(out, api_row_get(rows, i, "id"));
    api_row_text(out, rows, i, "variant");
    json_key(out, "options");
    json_raw(out, api_row_get(rows, i, "options"));
    api_row_int(out, rows, i, "seats");
    api_row_int(out, rows, i, "people");
    api_row_int(out, rows, i, "bots");
    api_row_int(out, rows, i, "stake");
    api_row_int(out, rows, i, "point_value");
    api_row_int(out, rows, i, "watch_delay_ms");
    api_row_bool(out, rows, i, "bot_accounts");
    api_row_int(out, rows, i, "turn_hours");
    api_row_text(out, rows, i, "creator");
    api_row_text(out, rows, i, "ws_url");
    api_row_time(out, rows, i, "created_at");
    json_close(out, '}');
}

static enum api_next reply_tables(struct api_request *request, const PGresult *rows)
{
    return api_page_reply(request, rows, write_table);
}

/* --- GET /v1/tables/by-code/{code}/link and /invitation --- */

static const struct db_stmt q_table_link = {"q_table_link", "SELECT code, body FROM q_table_link($1, $2)", 2};

static enum api_next bind_link(struct api_request *request)
{
    if (api_seat_bind_code(request) == API_DONE)
        return API_DONE;
    db_args_null(&request->args);
    return API_QUERY;
}

static enum api_next bind_by_code(struct api_request *request)
{
    if (api_seat_bind_code(request) == API_DONE)
        return API_DONE;
    db_args_int(&request->args, request->player_id);
    return API_QUERY;
}

/* --- GET /v1/tables/{table} --- */

/* The player's seat among the rows, or -1. */
static int seat_of(const struct api_request *request, const PGresult *rows)
{
    int kind = db_col(rows, "kind"), player = db_col(rows, "player_id");
    for (int i = 0; i < PQntuples(rows); i++)
        if (db_text(rows, i, kind)[0] == 's' && db_i64(rows, i, player) == request->player_id)
            return (int)api_row_get_int(rows, i, "seat");
    return -1;
}

static enum api_next reply_table(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_NO_SUCH_TABLE);
    int seat = seat_of(request, rows);
    if (seat < 0)
        return api_refuse(request, API_NOT_SEATED);
    const char *state = api_row_get(rows, 0, "state");
    if (strcmp(state, "lost") == 0)
        return api_refuse(request, API_TABLE_LOST);
    if (strcmp(state, "waiting") != 0 && strcmp(state, "playing") != 0)
        return api_refuse(request, API_TABLE_OVER);
    int64_t v = 0;
    request->status = 200;
    request->content_type = "application/json";
    const struct api_ports *ports = &request->env->ports;
    int64_t table;
    if (!api_param_id(request, 0, &table))
        return API_DONE;
    ASSERT(table > 0 && request->out->len == 0);
    enum api_code code = ports->table_snapshot(ports->ctx, table, rows, seat, request->out, &v);
    if (code != API_OK)
        return api_refuse(request, code);
    /* A waiting table changes without a new v, so its tag is made from the contents. */
    if (strcmp(state, "waiting") == 0)
        return api_reply_tagged(request);
    char tag[24];
    (void)snprintf(tag, sizeof(tag), "%lld", (long long)v);
    return api_reply_tagged_as(request, tag);
}

API_OPERATION(listTables) = {.stmt = &list_public_tables, .begin = bind_tables, .reply = reply_tables};
API_OPERATION(getTableByCode) = {.stmt = &q_table_link, .begin = bind_by_code, .reply = api_json_reply};
API_OPERATION(getTableLink) = {.stmt = &q_table_link, .begin = bind_link, .reply = api_json_reply};
API_OPERATION(getTable) = {.stmt = &api_table_rows_stmt, .begin = api_bind_id, .reply = reply_table};
