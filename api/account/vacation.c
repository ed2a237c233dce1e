/* /v1/me/vacation: stops a player's clocks at correspondence tables for some days of the year
 * (docs/correspondence.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"

#include <stdlib.h>

static const struct db_stmt do_vacation = {
    "do_vacation", "SELECT code, body, array_to_string(tables, ' ') AS tables FROM do_vacation($1, $2)", 2};

static enum api_next begin_vacation(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    db_args_bool(&request->args, request->body[VACATION_CHANGE_ON].flag);
    return API_QUERY;
}

/* Other players at loaded tables see at once that a clock has stopped or continues. */
static enum api_next reply_vacation(struct api_request *request, const PGresult *rows)
{
    const struct api_ports *ports = &request->env->ports;
    const char *at = api_row_get(rows, 0, "tables");
    char *end;
    for (int64_t id; at && (id = strtoll(at, &end, 10)) > 0; at = end)
        ports->table_changed(ports->ctx, id);
    return api_json_reply(request, rows);
}

API_OPERATION(setVacation) = {
    .stmt = &do_vacation, .writes = true, .begin = begin_vacation, .reply = reply_vacation};
