/* Taking, returning to, and leaving a seat. Only the SQL functions move chips. REST loops. */
#include "api/play/seats.h"

#include "api/core/operations.h"
#include "api/core/validators.h"
#include "api/play/ticket_rows.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"
#include "db/journal.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

void api_seats_left(const struct api_request *request, const PGresult *rows)
{
    const struct api_ports *ports = &request->env->ports;
    const char *at = api_row_get(rows, 0, "seats_of");
    for (int64_t id; (id = api_row_next_id(&at)) > 0;)
        ports->table_changed(ports->ctx, id);
}

void api_tables_cancelled(const struct api_request *request, const PGresult *rows)
{
    const struct api_ports *ports = &request->env->ports;
    const char *at = api_row_get(rows, 0, "cancels");
    int64_t id = api_row_next_id(&at);
    if (id > 0)
        ports->table_cancel(ports->ctx, id);
}

enum api_next api_seat_reply(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    char ticket[API_TICKET_TEXT_MAX], path[64];
    if (!api_ticket_from_row(request, rows, ticket))
        return api_refuse(request, API_INTERNAL);
    ASSERT(api_row_get_int(rows, 0, "table_id") > 0 && api_row_get_int(rows, 0, "seat") >= 0);
    int len = snprintf(path, sizeof(path), "/ws/tables/%s", api_row_get(rows, 0, "table_id"));
    ASSERT(len > 0 && (size_t)len < sizeof(path));
    if (!db_bool(rows, 0, db_col(rows, "repeated")))
        request->env->ports.table_changed(request->env->ports.ctx, api_row_get_int(rows, 0, "table_id"));

    api_reply_location(request, "/v1/tables/", api_row_get(rows, 0, "table_id"));
    struct buf *out = api_reply_open(request, 201);
    api_row_id(out, rows, 0, "table_id");
    api_row_int(out, rows, 0, "seat");
    api_ticket_put_url(request, out, api_row_get(rows, 0, "ws_url"), path);
    json_kv_text(out, "ticket", ticket);
    api_row_time(out, rows, 0, "expires_at");
    api_row_text(out, rows, 0, "commit");
    int join_code = PQfnumber(rows, "join_code");
    if (join_code >= 0)
        json_kv_text(out, "code", db_text(rows, 0, join_code));
    json_close(out, '}');
    return API_DONE;
}

/* POST /v1/rooms/{room}/seats */

static const struct db_stmt do_take_seat = {
    "do_take_seat", "SELECT " API_SEAT_COLUMNS " FROM do_take_seat($1, $2, $3, $4, $5, $6, $7, $8)", 8};

static const struct db_stmt do_seat_batch = {
    "do_seat_batch", "SELECT " API_SEAT_COLUMNS " FROM do_seat_batch($1, $2, $3, $4, $5, $6, $7, $8)", 8};

/* Arguments as in bind_take. A call contains each player at most once. */
const struct db_batch_stmt api_seats_batch_stmt = {
    .one = &do_take_seat,
    .many = &do_seat_batch,
    .kinds = {DB_BATCH_INT, DB_BATCH_TEXT, DB_BATCH_TEXT, DB_BATCH_BYTES, DB_BATCH_UUID, DB_BATCH_BYTES,
              DB_BATCH_BYTES, DB_BATCH_SAME},
    .distinct = 0,
};

void api_seat_bind_seed(struct api_request *request)
{
    uint8_t seed[32], commit[32];
    if (request->env->dev_seed)
        memcpy(seed, request->env->dev_seed, sizeof(seed));
    else
        randombytes_buf(seed, sizeof(seed));
    crypto_hash_sha256(commit, seed, sizeof(seed));
    db_args_bytes(&request->args, seed, sizeof(seed));
    db_args_bytes(&request->args, commit, sizeof(commit));
    sodium_memzero(seed, sizeof(seed));
}

static enum api_next bind_take(struct api_request *request)
{
    if (!api_valid_name(request->params[0]))
        return api_refuse(request, API_NO_SUCH_ROOM);
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, request->params[0]);
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    api_seat_bind_seed(request);
    db_args_text(&request->args, request->env->node);
    return API_QUERY;
}

/* POST /v1/tables/by-code/{code}/seats and /v1/tables/{table}/seats */

static const struct db_stmt do_join_table = {
    "do_join_table", "SELECT " API_SEAT_COLUMNS ", join_code FROM do_join_table($1, $2, $3, $4, $5, $6)", 6};

static enum api_next bind_join_rest(struct api_request *request)
{
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    return API_QUERY;
}

/* Converts codes to upper case, because players may type them in lower case. */
enum api_next api_seat_bind_code(struct api_request *request)
{
    char code[API_JOIN_CODE_LEN + 1] = "";
    const char *given = request->params[0];
    size_t len = strspn(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    if (len != API_JOIN_CODE_LEN || given[len])
        return api_fail_parameter(request, "code", API_FAULT_BAD_CODE, 0, 0);
    for (size_t i = 0; i < len; i++)
        code[i] = given[i] >= 'a' && given[i] <= 'z' ? (char)(given[i] - 'a' + 'A') : given[i];
    db_args_text(&request->args, code);
    return API_QUERY;
}

static enum api_next bind_join_by_code(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    db_args_null(&request->args);
    return api_seat_bind_code(request) == API_DONE ? API_DONE : bind_join_rest(request);
}

static enum api_next bind_join(struct api_request *request)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    db_args_null(&request->args);
    return bind_join_rest(request);
}

/* DELETE /v1/tables/{table}/seats/me */

static enum api_next reply_leave(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    int64_t table;
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    if (api_param_id(request, 0, &table))
        request->env->ports.table_changed(request->env->ports.ctx, table);
    return api_reply_empty(request);
}

API_OPERATION(takeSeat) = {
    .stmt = &do_take_seat, .writes = true, .begin = bind_take, .reply = api_seat_reply};
API_OPERATION(takeSeatByCode) = {
    .stmt = &do_join_table, .writes = true, .begin = bind_join_by_code, .reply = api_seat_reply};
API_OPERATION(takeTableSeat) = {
    .stmt = &do_join_table, .writes = true, .begin = bind_join, .reply = api_seat_reply};
API_OPERATION(leaveSeat) = {
    .stmt = &db_leave_seat_stmt, .writes = true, .begin = api_bind_player_and_id, .reply = reply_leave};
