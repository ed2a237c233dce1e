/* /v1/me/limits: the bounds a player sets himself. PostgreSQL holds to them wherever a seat is taken or an
 * order made (db/migrations/0102-play-limits.sql). Not api/limits.h, which bounds requests. REST loops. */
#include "api/resources.h"
#include "api/tree.h"
#include "base/bug.h"

enum { MINUTES, PURCHASES, EXCLUDE_DAYS }; /* places in call->body */

/* The greatest value of the first two stands for no limit. */
static const struct spec_member limits_members[] = {
    [MINUTES] = {.name = "minutes_per_day", .type = SPEC_INT, .min = 0, .max = 1440},
    [PURCHASES] = {.name = "purchases_per_day", .type = SPEC_INT, .min = 0, .max = 100000000},
    [EXCLUDE_DAYS] = {.name = "exclude_days", .type = SPEC_INT, .min = 0, .max = 3650},
};
static const struct spec limits_spec = {
    .members = limits_members, .members_n = ARRAY_LEN(limits_members), .bytes_max = 512};

static const struct db_stmt q_limits = {"q_limits", "SELECT code, body FROM q_limits($1)", 1};
static const struct db_stmt do_set_limits = {"do_set_limits",
                                             "SELECT code, body FROM do_set_limits($1, $2, $3, $4)", 4};

static enum api_next bind_change(struct api_call *call)
{
    db_args_int(&call->args, call->player_id);
    for (size_t i = 0; i < ARRAY_LEN(limits_members); i++) {
        if (call->body[i].set)
            db_args_int(&call->args, call->body[i].number);
        else
            db_args_null(&call->args);
    }
    return API_QUERY;
}

const struct api_route api_play_limits_routes[] = {
    {.method = "GET",
     .path = "/v1/me/limits",
     .id = "getLimits",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_limits,
     .begin = api_bind_player,
     .reply = tree_reply},
    {.method = "PATCH",
     .path = "/v1/me/limits",
     .id = "changeLimits",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .body = &limits_spec,
     .stmt = &do_set_limits,
     .writes = true,
     .begin = bind_change,
     .reply = tree_reply},
};
const size_t api_play_limits_routes_n = ARRAY_LEN(api_play_limits_routes);
