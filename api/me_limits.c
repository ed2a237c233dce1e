/* /v1/me/limits: limits that players set for themselves. PostgreSQL enforces them wherever a seat is taken or
 * an order placed (db/functions/limits). Not to be confused with api/rate_limits.h, which limits requests.
 * REST loops. */
#include "api/json_reply.h"
#include "api/operations.h"
#include "api/seats.h"
#include "base/bug.h"

enum { MINUTES, PURCHASES, EXCLUDE_DAYS }; /* indices into request->body */

/* The maximum of the first two means no limit, and so does null, which removes one. */
static const struct api_spec_member limits_members[] = {
    [MINUTES] = {.name = "minutes_per_day", .type = API_SPEC_INT_OR_NULL, .min = 0, .max = 1440},
    [PURCHASES] = {.name = "purchases_per_day", .type = API_SPEC_INT_OR_NULL, .min = 0, .max = 100000000},
    [EXCLUDE_DAYS] = {.name = "exclude_days", .type = API_SPEC_INT, .min = 0, .max = 3650},
};
static const struct api_spec limits_spec = {
    .members = limits_members, .members_n = ARRAY_LEN(limits_members), .bytes_max = 512};

static const struct db_stmt q_limits = {"q_limits", "SELECT code, body FROM q_limits($1)", 1};
static const struct db_stmt do_set_limits = {
    "do_set_limits", "SELECT code, body, seats_of FROM do_set_limits($1, $2, $3, $4)", 4};

static enum api_next bind_change(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    for (size_t i = 0; i < ARRAY_LEN(limits_members); i++) {
        if (request->body[i].set)
            db_args_int(&request->args,
                        request->body[i].flag ? limits_members[i].max : request->body[i].number);
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

API_OPERATION(getLimits) = {.stmt = &q_limits, .begin = api_bind_player, .reply = api_json_reply};
API_OPERATION(changeLimits) = {.body = &limits_spec,
                               .stmt = &do_set_limits,
                               .writes = true,
                               .begin = bind_change,
                               .reply = reply_change};
