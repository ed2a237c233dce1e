/* GET /v1/tables/{table}: a live table as the player sees it, from what is committed.
 * REST loops; the engine's part is behind a port. */
#include "api/tables.h"

#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

#include <stdio.h>
#include <string.h>

#define MS(expr, name) "(extract(epoch FROM " expr ") * 1000)::bigint AS " name

/* The columns of the four kinds of rows; each kind leaves NULL what is of the others. */
/* clang-format off: columns as they stand */
#define TABLE_BUT(hand, seed, commit, started)                                                               \
    "NULL::text AS state, NULL::boolean AS practice, NULL::text AS room, NULL::text AS variant, "            \
    "NULL::text AS params, NULL::int AS seats_n, " hand " AS hand_no, NULL::bigint AS stake, "               \
    "NULL::bigint AS reward, NULL::int AS multiplier_tenths, " seed " AS server_seed, " commit               \
    " AS commit, "                                                                                           \
    "NULL::bigint AS fill_at, " started ", NULL::text AS room_name, NULL::boolean AS bots, "                 \
    "NULL::int AS room_bot_level, NULL::text AS node, NULL::bigint AS heard_at, "                            \
    "NULL::text AS visibility, NULL::int AS bots_n"
#define NO_TIME "NULL::bigint AS started_at"
#define NO_TABLE TABLE_BUT("NULL::int", "NULL::bytea", "NULL::bytea", NO_TIME)
#define SEAT_BUT(seeds)                                                                                      \
    "NULL::bigint AS player_id, NULL::int AS bot_level, NULL::text AS nickname, NULL::text AS "              \
    "avatar, " seeds " AS client_seed"
#define NO_SEAT SEAT_BUT("NULL::bytea")
#define NO_MOVE                                                                                              \
    "NULL::int AS v, NULL::bytea AS move, NULL::bigint AS hash, NULL::bigint AS at, NULL::text AS command, " \
    "NULL::int AS reserve_ms"

/* However the wall clock was moved since: no further away than it ever was. */
#define FILL_AT "least(t.fill_at, now() + (t.fill_at - t.created_at))"
#define TABLE_COLUMNS                                                                                        \
    "t.state, t.practice, t.room_id AS room, t.variant, t.params, t.seats_n, t.hand_no, t.stake, t.reward, " \
    "t.multiplier_tenths, t.server_seed, t.commit, " MS(FILL_AT, "fill_at") ", " MS(                         \
        "t.started_at", "started_at") ", r.name AS room_name, coalesce(r.bots, false) AS bots, "             \
                                      "coalesce(r.bot_level, t.bot_level) AS room_bot_level, t.node, " MS(   \
                                          "coalesce(t.stopped_at, n.stopped_at)",                            \
                                          "heard_at") ", "                                                   \
                                                      "t.visibility, t.bots_n"
#define SEAT_ROW_COLUMNS "player_id, bot_level, nickname, avatar, client_seed"
#define MOVE_COLUMNS "v, move, hash, " MS("at", "at") ", command, reserve_ms"

const struct db_stmt api_table_rows_stmt = {
    "q_table_rows",
    "SELECT 't' AS kind, NULL::int AS seat, " NO_MOVE ", " NO_SEAT ", " TABLE_COLUMNS
    " FROM tables t LEFT JOIN rooms r ON r.id = t.room_id JOIN nodes n ON n.name = t.node WHERE t.id = $1 "
    "UNION ALL SELECT * FROM (SELECT 's' AS kind, seat, " NO_MOVE ", " SEAT_ROW_COLUMNS ", " NO_TABLE
    " FROM seats WHERE table_id = $1 ORDER BY seat) s "
    "UNION ALL SELECT * FROM (SELECT 'h' AS kind, NULL::int AS seat, " NO_MOVE
    ", " SEAT_BUT("client_seeds") ", " TABLE_BUT(
        "hand_no", "server_seed", "commit",
        MS("dealt_at", "started_at")) " FROM hands WHERE table_id = $1 ORDER BY hands.hand_no) h "
                                      "UNION ALL SELECT * FROM (SELECT 'm' AS kind, seat, " MOVE_COLUMNS
                                      ", " NO_SEAT ", " TABLE_BUT(
                                          "hand_no", "NULL::bytea", "NULL::bytea",
                                          NO_TIME) " FROM journal WHERE table_id = $1 ORDER BY v) m",
    1};
/* clang-format on */

/* The player's seat among the rows, or -1. */
static int seat_of(const struct api_call *call, const PGresult *rows)
{
    int kind = db_col(rows, "kind"), player = db_col(rows, "player_id");
    for (int i = 0; i < PQntuples(rows); i++)
        if (db_text(rows, i, kind)[0] == 's' && db_i64(rows, i, player) == call->player_id)
            return (int)row_get_int(rows, i, "seat");
    return -1;
}

static enum api_next reply_table(struct api_call *call, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(call, API_NO_SUCH_TABLE);
    int seat = seat_of(call, rows);
    if (seat < 0)
        return api_refuse(call, API_NOT_SEATED);
    const char *state = row_get(rows, 0, "state");
    if (strcmp(state, "waiting") != 0 && strcmp(state, "playing") != 0)
        return api_refuse(call, API_TABLE_OVER);
    int64_t v = 0;
    call->status = 200;
    call->content_type = "application/json";
    const struct api_ports *ports = &call->env->ports;
    int64_t table;
    if (!api_param_id(call, 0, &table))
        return API_DONE;
    enum api_code code = ports->table_snapshot(ports->ctx, table, rows, seat, call->out, &v);
    if (code != API_OK)
        return api_refuse(call, code);
    /* A waiting table changes without a new v: the tag then follows what is shown. */
    if (strcmp(state, "waiting") == 0)
        return api_reply_tagged(call);
    char tag[24];
    (void)snprintf(tag, sizeof(tag), "%lld", (long long)v);
    return api_reply_tagged_as(call, tag);
}

const struct api_route api_tables_routes[] = {
    {.method = "GET",
     .path = "/v1/tables/{table}",
     .id = "getTable",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &api_table_rows_stmt,
     .begin = api_bind_id,
     .reply = reply_table},
};
const size_t api_tables_routes_n = ARRAY_LEN(api_tables_routes);
