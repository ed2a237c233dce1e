/* POST /v1/tables/{table}/spectators: access to a table's socket without a seat. REST loops. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/play/ticket_rows.h"
#include "base/bug.h"

#include <stdio.h>
#include <string.h>

static const struct db_stmt do_spectator_ticket = {
    "do_spectator_ticket",
    "SELECT code, table_id, ticket, " API_ROW_TIME(
        "expires_at", "expires_at") ", delay_ms, "
                                    "owner_ws_url(table_id) AS ws_url, " API_REPEATED
                                    " FROM do_spectator_ticket($1, $2, $3, $4, $5, $6)",
    6};

static enum api_next bind_watch(struct api_request *request)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    if (request->body[WATCH_TABLE_CODE].set)
        db_args_text(&request->args, request->body[WATCH_TABLE_CODE].text);
    else
        db_args_null(&request->args);
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    return API_QUERY;
}

static enum api_next reply_watch(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    char ticket[API_TICKET_TEXT_MAX], path[64];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    if (!api_ticket_from_row(request, rows, ticket))
        return api_refuse(request, API_INTERNAL);
    int len = snprintf(path, sizeof(path), "/ws/tables/%s", api_row_get(rows, 0, "table_id"));
    ASSERT(len > 0 && (size_t)len < sizeof(path));
    api_reply_location(request, "/v1/tables/", api_row_get(rows, 0, "table_id"));
    struct buf *out = api_reply_open(request, 201);
    api_row_id(out, rows, 0, "table_id");
    api_ticket_put_url(request, out, api_row_get(rows, 0, "ws_url"), path);
    json_kv_text(out, "ticket", ticket);
    api_row_time(out, rows, 0, "expires_at");
    api_row_int(out, rows, 0, "delay_ms");
    json_close(out, '}');
    return API_DONE;
}

API_OPERATION(watchTable) = {
    .stmt = &do_spectator_ticket, .writes = true, .begin = bind_watch, .reply = reply_watch};
