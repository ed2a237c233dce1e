/* POST /v1/lobby/tickets: the way into the lobby's socket. REST loops. */
#include "api/resources.h"
#include "api/rows.h"
#include "api/tickets.h"
#include "base/bug.h"

#include <string.h>

static const struct spec empty_spec = {.bytes_max = 256, .optional = true};

static const struct db_stmt do_lobby_ticket = {
    "do_lobby_ticket",
    "SELECT code, ticket, " ROW_TIME("expires_at", "expires_at") " FROM do_lobby_ticket($1, $2, $3, $4)", 4};

static enum api_next bind_ticket(struct api_call *call)
{
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->idempotency_key);
    db_args_bytes(&call->args, call->body_hash, sizeof(call->body_hash));
    ticket_bind_new(call);
    return API_QUERY;
}

static enum api_next reply_ticket(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    char ticket[TICKET_TEXT_MAX];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    if (!ticket_from_row(call, rows, ticket))
        return api_refuse(call, API_INTERNAL);
    struct buf *out = api_reply_json(call, 201);
    ticket_put_url(call, out, "/ws/lobby");
    json_kv_text(out, "ticket", ticket);
    row_time(out, rows, 0, "expires_at");
    json_close(out, '}');
    return API_DONE;
}

const struct api_route api_lobby_routes[] = {
    {.method = "POST",
     .path = "/v1/lobby/tickets",
     .id = "newLobbyTicket",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .body = &empty_spec,
     .stmt = &do_lobby_ticket,
     .writes = true,
     .begin = bind_ticket,
     .reply = reply_ticket},
};
const size_t api_lobby_routes_n = ARRAY_LEN(api_lobby_routes);
