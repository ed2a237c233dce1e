/* POST /v1/tables/{table}/watch: the way to a table's socket without a seat. REST loops. */
#include "api/resources.h"
#include "api/rows.h"
#include "api/tickets.h"
#include "base/bug.h"

#include <stdio.h>
#include <string.h>

enum { WATCH_CODE_MAX = 16 };

static const struct spec_member watch_members[] = {
    {.name = "code", .type = SPEC_TEXT, .min = 1, .max = WATCH_CODE_MAX}};
static const struct spec watch_spec = {
    .members = watch_members, .members_n = ARRAY_LEN(watch_members), .bytes_max = 256, .optional = true};

static const struct db_stmt do_watch_ticket = {
    "do_watch_ticket",
    "SELECT code, table_id, ticket, " ROW_TIME("expires_at",
                                               "expires_at") ", delay_ms "
                                                             "FROM do_watch_ticket($1, $2, $3, $4, $5, $6)",
    6};

static enum api_next bind_watch(struct api_call *call)
{
    if (api_bind_player_and_id(call) == API_DONE)
        return API_DONE;
    if (call->body[0].set)
        db_args_text(&call->args, call->body[0].text);
    else
        db_args_null(&call->args);
    db_args_text(&call->args, call->idempotency_key);
    db_args_bytes(&call->args, call->body_hash, sizeof(call->body_hash));
    ticket_bind_new(call);
    return API_QUERY;
}

static enum api_next reply_watch(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    char ticket[TICKET_TEXT_MAX], path[64];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    if (!ticket_from_row(call, rows, ticket))
        return api_refuse(call, API_INTERNAL);
    (void)snprintf(path, sizeof(path), "/ws/tables/%s", row_get(rows, 0, "table_id"));
    struct buf *out = api_reply_json(call, 201);
    row_id(out, rows, 0, "table_id");
    ticket_put_url(call, out, path);
    json_kv_text(out, "ticket", ticket);
    row_time(out, rows, 0, "expires_at");
    row_int(out, rows, 0, "delay_ms");
    json_close(out, '}');
    return API_DONE;
}

const struct api_route api_watch_routes[] = {
    {.method = "POST",
     .path = "/v1/tables/{table}/watch",
     .id = "watchTable",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .body = &watch_spec,
     .stmt = &do_watch_ticket,
     .writes = true,
     .begin = bind_watch,
     .reply = reply_watch},
};
const size_t api_watch_routes_n = ARRAY_LEN(api_watch_routes);
