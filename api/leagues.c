/* /v1/leagues: the leagues with the season's clock, a league's table, what became of the player. REST loops.
 */
#include "api/form.h"
#include "api/page.h"
#include "api/resources.h"
#include "api/rows.h"
#include "api/tree.h"
#include "base/bug.h"

/* GET /v1/leagues */

static const struct db_stmt q_leagues = {"q_leagues", "SELECT code, body FROM q_leagues($1)", 1};

/* GET /v1/leagues/{league} */

static const struct db_stmt q_league_table = {
    "q_league_table", "SELECT code, body, at1, at2, at3 FROM q_league_table($1, $2, $3, $4, $5, $6)", 6};

static enum api_next bind_table(struct api_call *call)
{
    if (!form_name(call->params[0]))
        return api_refuse(call, API_NO_SUCH_LEAGUE);
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->params[0]);
    return tree_page_bind(call);
}

/* GET /v1/me/seasons */

static const char list_seasons[] = "seasons";

static const struct db_stmt q_my_seasons = {"q_my_seasons", "SELECT id, body FROM q_my_seasons($1, $2, $3)",
                                            3};

static enum api_next bind_seasons(struct api_call *call)
{
    return page_bind(call, list_seasons);
}

static void write_season(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, row_get(rows, i, "body"));
}

static enum api_next reply_seasons(struct api_call *call, const PGresult *rows)
{
    return page_reply(call, list_seasons, rows, write_season);
}

const struct api_route api_leagues_routes[] = {
    {.method = "GET",
     .path = "/v1/leagues",
     .id = "listLeagues",
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_leagues,
     .begin = api_bind_player,
     .reply = tree_reply},
    {.method = "GET",
     .path = "/v1/leagues/{league}",
     .id = "getLeagueTable",
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_league_table,
     .begin = bind_table,
     .reply = tree_page_reply},
    {.method = "GET",
     .path = "/v1/me/seasons",
     .id = "listMySeasons",
     .tagged = true,
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_my_seasons,
     .begin = bind_seasons,
     .reply = reply_seasons},
};
const size_t api_leagues_routes_n = ARRAY_LEN(api_leagues_routes);
