/* Taking a seat, coming back to it, giving it back. Chips move in the SQL functions alone.
 * REST loops. */
#include "api/seats.h"

#include "api/form.h"
#include "api/resources.h"
#include "api/tickets.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

static const struct spec empty_spec = {.bytes_max = 256, .optional = true};

enum api_next seat_reply(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    char ticket[TICKET_TEXT_MAX], path[64];
    if (!ticket_from_row(call, rows, ticket))
        return api_refuse(call, API_INTERNAL);
    (void)snprintf(path, sizeof(path), "/ws/tables/%s", row_get(rows, 0, "table_id"));
    if (!db_bool(rows, 0, db_col(rows, "repeated")))
        call->env->ports.table_changed(call->env->ports.ctx, row_get_int(rows, 0, "table_id"));

    struct buf *out = api_reply_json(call, 201);
    row_id(out, rows, 0, "table_id");
    row_int(out, rows, 0, "seat");
    ticket_put_url(call, out, path);
    json_kv_text(out, "ticket", ticket);
    row_time(out, rows, 0, "expires_at");
    row_text(out, rows, 0, "commit");
    int join_code = PQfnumber(rows, "join_code");
    if (join_code >= 0)
        json_kv_text(out, "code", db_text(rows, 0, join_code));
    json_close(out, '}');
    return API_DONE;
}

/* POST /v1/rooms/{room}/seats */

static const struct db_stmt do_take_seat = {
    "do_take_seat", "SELECT " SEAT_COLUMNS " FROM do_take_seat($1, $2, $3, $4, $5, $6, $7, $8)", 8};

void seat_bind_seed(struct api_call *call)
{
    uint8_t seed[32], commit[32];
    if (call->env->dev_seed)
        memcpy(seed, call->env->dev_seed, sizeof(seed));
    else
        randombytes_buf(seed, sizeof(seed));
    crypto_hash_sha256(commit, seed, sizeof(seed));
    db_args_bytes(&call->args, seed, sizeof(seed));
    db_args_bytes(&call->args, commit, sizeof(commit));
    sodium_memzero(seed, sizeof(seed));
}

void seat_bind_key(struct api_call *call)
{
    db_args_text(&call->args, call->idempotency_key);
    db_args_bytes(&call->args, call->body_hash, sizeof(call->body_hash));
}

static enum api_next bind_take(struct api_call *call)
{
    if (!form_name(call->params[0]))
        return api_refuse(call, API_NO_SUCH_ROOM);
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->params[0]);
    seat_bind_key(call);
    ticket_bind_new(call);
    seat_bind_seed(call);
    db_args_text(&call->args, call->env->node);
    return API_QUERY;
}

/* POST /v1/tables/{table}/tickets */

static const struct db_stmt do_new_ticket = {
    "do_new_ticket", "SELECT " SEAT_COLUMNS " FROM do_new_ticket($1, $2, $3, $4, $5)", 5};

static enum api_next bind_ticket(struct api_call *call)
{
    if (api_bind_player_and_id(call) == API_DONE)
        return API_DONE;
    seat_bind_key(call);
    ticket_bind_new(call);
    return API_QUERY;
}

/* DELETE /v1/tables/{table}/seat */

static const struct db_stmt do_leave_seat = {"do_leave_seat", "SELECT * FROM do_leave_seat($1, $2)", 2};

static enum api_next reply_leave(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    int64_t table;
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    if (api_param_id(call, 0, &table))
        call->env->ports.table_changed(call->env->ports.ctx, table);
    return api_reply_empty(call);
}

const struct api_route api_seats_routes[] = {
    {.method = "POST",
     .path = "/v1/rooms/{room}/seats",
     .id = "takeSeat",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .takes_seat = true,
     .body = &empty_spec,
     .stmt = &do_take_seat,
     .writes = true,
     .begin = bind_take,
     .reply = seat_reply},
    {.method = "POST",
     .path = "/v1/tables/{table}/tickets",
     .id = "newTicket",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .body = &empty_spec,
     .stmt = &do_new_ticket,
     .writes = true,
     .begin = bind_ticket,
     .reply = seat_reply},
    {.method = "DELETE",
     .path = "/v1/tables/{table}/seat",
     .id = "leaveSeat",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .stmt = &do_leave_seat,
     .writes = true,
     .begin = api_bind_player_and_id,
     .reply = reply_leave},
};
const size_t api_seats_routes_n = ARRAY_LEN(api_seats_routes);
