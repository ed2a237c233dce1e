/* /v1/me/limits: limits that players set for themselves. PostgreSQL enforces them when a player takes a
 * seat or places an order (db/functions/limits). Not to be confused with api/core/rate_limits.h, which
 * limits requests. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/route.h"
#include "api/play/seats.h"
#include "base/bug.h"

static const struct db_stmt do_set_limits = {
    "do_set_limits", "SELECT code, body, seats_of FROM do_set_limits($1, $2, $3, $4)", 4};

/* Null removes a limit. The first two limits are stored as their maximum then, which means no limit. */
static enum api_next bind_change(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    const struct api_spec *spec = request->route->body;
    for (size_t i = 0; i < spec->members_n; i++) {
        if (request->body[i].set)
            db_args_int(&request->args,
                        request->body[i].flag ? spec->members[i].max : request->body[i].number);
        else
            db_args_null(&request->args);
    }
    return API_QUERY;
}

/* A player who is excluded from play loses their seats at waiting tables. */
static enum api_next reply_change(struct api_request *request, const PGresult *rows)
{
    api_seats_left(request, rows);
    return api_json_reply(request, rows);
}

API_OPERATION(changeLimits) = {
    .stmt = &do_set_limits, .writes = true, .begin = bind_change, .reply = reply_change};
