/* /v1/tournaments: lists of tournaments, and of the tables of a round (docs/tournaments.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/play/table_options.h"
#include "base/bug.h"
#include "base/text.h"

/* --- GET /v1/tournaments --- */

static const struct db_stmt q_tournaments = {"q_tournaments",
                                             "SELECT id, body FROM q_tournaments($1, $2, $3, $4, $5, $6)", 6};

static const char *const list_states[] = {"open", "running", "ended", "cancelled", NULL};

static const char *const list_kinds[] = {"knockout", "stages", "swiss", "teams", NULL};

static enum api_next bind_list(struct api_request *request)
{
    api_check_variant(request);
    (void)api_page_bind(request);
    api_bind_choice(request, "state", request->state, list_states);
    api_bind_choice(request, "kind", request->kind, list_kinds);
    api_bind_word(request, "variant", request->variant);
    return request->code == API_OK ? API_QUERY : API_DONE;
}

/* --- GET /v1/tournaments/{tournament}/rounds/{round}/tables, …/seats/{seat} --- */

enum { ROUND_MAX = 64 };

static const struct db_stmt q_tables = {
    "q_tournament_tables",
    "SELECT code, body, at1, at2, at3 FROM q_tournament_tables($1, $2, $3, $4, $5, $6, $7)", 7};
static const struct db_stmt q_seat = {
    "q_tournament_seat",
    "SELECT code, body, at1, at2, at3 FROM q_tournament_seat($1, $2, $3, $4, $5, $6, $7, $8)", 8};

static enum api_next bind_round(struct api_request *request)
{
    int64_t round;
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    if (!text_i64(request->params[1], 1, ROUND_MAX, &round))
        return api_refuse(request, API_NOT_FOUND);
    db_args_int(&request->args, round);
    return API_QUERY;
}

static enum api_next bind_tables(struct api_request *request)
{
    return bind_round(request) == API_DONE ? API_DONE : api_json_page_bind(request);
}

static enum api_next bind_seat(struct api_request *request)
{
    int64_t seat;
    if (bind_round(request) == API_DONE)
        return API_DONE;
    if (!text_i64(request->params[2], 0, API_TABLE_SEATS_MAX - 1, &seat))
        return api_refuse(request, API_NOT_FOUND);
    db_args_int(&request->args, seat);
    return api_json_page_bind(request);
}

API_OPERATION(listTournaments) = {.stmt = &q_tournaments, .begin = bind_list, .reply = api_json_list_reply};
API_OPERATION(listTournamentTables) = {.stmt = &q_tables, .begin = bind_tables, .reply = api_json_page_reply};
API_OPERATION(listTournamentSeat) = {.stmt = &q_seat, .begin = bind_seat, .reply = api_json_page_reply};
