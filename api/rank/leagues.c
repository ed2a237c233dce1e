/* /v1/leagues: the leagues and the current season's dates, a league's table, and the player's past seasons.
 * REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/core/rows.h"
#include "api/core/validators.h"
#include "base/bug.h"

/* GET /v1/leagues/{league} */

static const struct db_stmt q_league_table = {
    "q_league_table", "SELECT code, body, at1, at2, at3 FROM q_league_table($1, $2, $3, $4, $5, $6)", 6};

static enum api_next bind_table(struct api_request *request)
{
    if (!api_valid_name(request->params[0]))
        return api_refuse(request, API_NO_SUCH_LEAGUE);
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, request->params[0]);
    return api_json_page_bind(request);
}

/* GET /v1/me/seasons */

static const struct db_stmt q_my_seasons = {"q_my_seasons", "SELECT id, body FROM q_my_seasons($1, $2, $3)",
                                            3};

static enum api_next bind_seasons(struct api_request *request)
{
    return api_page_bind(request);
}

static void write_season(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, api_row_get(rows, i, "body"));
}

static enum api_next reply_seasons(struct api_request *request, const PGresult *rows)
{
    return api_page_reply(request, rows, write_season);
}

API_OPERATION(getLeagueTable) = {.stmt = &q_league_table, .begin = bind_table, .reply = api_json_page_reply};
API_OPERATION(listMySeasons) = {.stmt = &q_my_seasons, .begin = bind_seasons, .reply = reply_seasons};
