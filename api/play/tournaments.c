/* /v1/tournaments: announced, running, and finished tournaments; entering and withdrawing
 * (docs/tournaments.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/core/rows.h"
#include "api/core/validators.h"
#include "api/play/table_options.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

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

/* --- GET /v1/tournaments/{tournament}, …/standings, …/rounds/{round}/tables, …/seats/{seat} --- */

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

/* --- POST /v1/tournaments/{tournament}/entries, DELETE …/entries/me --- */

static const struct db_stmt do_enter = {
    "do_enter_tournament",
    "SELECT code, body, " API_REPEATED " FROM do_enter_tournament($1, $2, $3, $4, $5, $6)", 6};
static const struct db_stmt do_withdraw = {"do_withdraw_tournament",
                                           "SELECT code FROM do_withdraw_tournament($1, $2)", 2};

static enum api_next bind_enter(struct api_request *request)
{
    uint8_t seed[API_SEED_MAX];
    int len = 0;
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    const struct api_spec_value *body = request->body;
    if (body[TOURNAMENT_ENTRY_REQUEST_CLIENT_SEED].set)
        len = text_unhex(seed, sizeof(seed), body[TOURNAMENT_ENTRY_REQUEST_CLIENT_SEED].text,
                         strlen(body[TOURNAMENT_ENTRY_REQUEST_CLIENT_SEED].text));
    ASSERT(len >= 0 && (size_t)len <= sizeof(seed));
    db_args_bytes(&request->args, seed, (size_t)len);
    if (body[TOURNAMENT_ENTRY_REQUEST_TEAM].set)
        db_args_int(&request->args, body[TOURNAMENT_ENTRY_REQUEST_TEAM].number);
    else
        db_args_null(&request->args);
    api_bind_idempotency(request);
    return API_QUERY;
}

static enum api_next reply_enter(struct api_request *request, const PGresult *rows)
{
    return api_json_reply_as(request, rows, 201);
}

API_OPERATION(listTournaments) = {.stmt = &q_tournaments, .begin = bind_list, .reply = api_json_list_reply};
API_OPERATION(listTournamentTables) = {.stmt = &q_tables, .begin = bind_tables, .reply = api_json_page_reply};
API_OPERATION(listTournamentSeat) = {.stmt = &q_seat, .begin = bind_seat, .reply = api_json_page_reply};
API_OPERATION(enterTournament) = {
    .stmt = &do_enter, .writes = true, .begin = bind_enter, .reply = reply_enter};
API_OPERATION(withdrawFromTournament) = {
    .stmt = &do_withdraw, .writes = true, .begin = api_bind_player_and_id, .reply = api_row_reply_code};
