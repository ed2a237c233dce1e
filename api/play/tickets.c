/* Endpoints that issue socket tickets. REST loops. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/play/seats.h"
#include "api/play/ticket_rows.h"
#include "base/bug.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* --- POST /v1/tables/{table}/tickets: return to a seat --- */

static const struct db_stmt do_new_ticket = {
    "do_new_ticket", "SELECT " API_SEAT_COLUMNS ", join_code FROM do_new_ticket($1, $2, $3, $4, $5)", 5};

static enum api_next bind_ticket(struct api_request *request)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    return API_QUERY;
}

/* --- POST /v1/lobby/tickets: access to the lobby's socket --- */

static const struct db_stmt do_lobby_ticket = {
    "do_lobby_ticket",
    "SELECT code, ticket, " API_ROW_TIME("expires_at", "expires_at") ", " API_REPEATED
                                                                     " FROM do_lobby_ticket($1, $2, $3, $4)",
    4};

static enum api_next bind_lobby_ticket(struct api_request *request)
{
    ASSERT(request->player_id > 0 && request->idempotency_key);
    db_args_int(&request->args, request->player_id);
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    return API_QUERY;
}

static enum api_next reply_lobby_ticket(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    char ticket[API_TICKET_TEXT_MAX];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    if (!api_ticket_from_row(request, rows, ticket))
        return api_refuse(request, API_INTERNAL);
    struct buf *out = api_reply_open(request, 201);
    api_ticket_put_url(request, out, NULL, "/ws/lobby");
    json_kv_text(out, "ticket", ticket);
    api_row_time(out, rows, 0, "expires_at");
    json_close(out, '}');
    return API_DONE;
}

/* --- GET /v1/events: the lobby as an event stream --- */

/* Each call gets a new ticket, so the idempotency key is random, too. */
static enum api_next bind_events(struct api_request *request)
{
    uint8_t key[API_TICKET_ID_LEN];
    char text[2 * sizeof(key) + 1];
    randombytes_buf(key, sizeof(key));
    text_hex(text, key, sizeof(key));
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, text);
    db_args_bytes(&request->args, request->body_hash, sizeof(request->body_hash));
    api_ticket_bind_new(request);
    return API_QUERY;
}

/* Streams have the same host as the sockets: ws://host becomes http://host, and wss:// becomes https://. */
static enum api_next reply_events(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    char ticket[API_TICKET_TEXT_MAX];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    if (!api_ticket_from_row(request, rows, ticket))
        return api_refuse(request, API_INTERNAL);
    ASSERT(strncmp(request->env->ws_url, "ws", 2) == 0);
    int len = snprintf(request->location, sizeof(request->location), "http%s/ws/events?ticket=%s",
                       request->env->ws_url + 2, ticket);
    if (len < 0 || (size_t)len >= sizeof(request->location))
        return api_refuse(request, API_INTERNAL);
    request->status = 307;
    return API_DONE;
}

API_OPERATION(events) = {
    .stmt = &do_lobby_ticket, .writes = true, .begin = bind_events, .reply = reply_events};
API_OPERATION(newTicket) = {
    .stmt = &do_new_ticket, .writes = true, .begin = bind_ticket, .reply = api_seat_reply};
API_OPERATION(newLobbyTicket) = {
    .stmt = &do_lobby_ticket, .writes = true, .begin = bind_lobby_ticket, .reply = reply_lobby_ticket};
