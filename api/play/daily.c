/* /v1/daily-deals: one deal per day with the same cards for all players (docs/daily-deal.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/validators.h"
#include "api/play/seats.h"
#include "api/play/ticket_rows.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

static const struct db_stmt q_daily_board = {
    "q_daily_board",
    "SELECT code, body, at1, at2, at3 FROM q_daily_board($1, $2::text::date, $3, $4, $5, $6, $7)", 7};
static const struct db_stmt q_daily_seeds = {
    "q_daily_seeds", "SELECT code, body, at1, at2, at3 FROM q_daily_seeds($1::text::date, $2, $3, $4, $5)",
    5};
static const struct db_stmt do_daily_play = {
    "do_daily_play",
    "SELECT " API_SEAT_COLUMNS " FROM do_daily_play($1, $2::text::date, $3, $4, $5, $6, $7, $8)", 8};

/* Binds the day in the path. false: it is invalid, and the request was answered. */
static bool bind_day(struct api_request *request)
{
    if (!api_valid_day(request->params[0])) {
        (void)api_refuse(request, API_NO_SUCH_DAILY);
        return false;
    }
    db_args_text(&request->args, request->params[0]);
    return true;
}

static bool bind_deal(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    if (!bind_day(request))
        return false;
    if (!api_valid_name(request->params[1])) {
        (void)api_refuse(request, API_NO_SUCH_DAILY);
        return false;
    }
    db_args_text(&request->args, request->params[1]);
    return true;
}

static enum api_next begin_board(struct api_request *request)
{
    return bind_deal(request) ? api_json_page_bind(request) : API_DONE;
}

static enum api_next begin_seeds(struct api_request *request)
{
    return bind_day(request) ? api_json_page_bind(request) : API_DONE;
}

static enum api_next begin_play(struct api_request *request)
{
    uint8_t seed[API_SEED_MAX];
    const char *text = request->body[DAILY_PLAY_SEED].text;
    if (!bind_deal(request))
        return API_DONE;
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    if (request->body[DAILY_PLAY_SEED].set) {
        int len = text_unhex(seed, sizeof(seed), text, strlen(text));
        ASSERT(len > 0);
        db_args_bytes(&request->args, seed, (size_t)len);
    } else {
        db_args_null(&request->args);
    }
    db_args_text(&request->args, request->env->node);
    return API_QUERY;
}

API_OPERATION(playDailyDeal) = {
    .stmt = &do_daily_play, .writes = true, .begin = begin_play, .reply = api_seat_reply};
API_OPERATION(getDailyBoard) = {.stmt = &q_daily_board, .begin = begin_board, .reply = api_json_page_reply};
API_OPERATION(listDailySeeds) = {.stmt = &q_daily_seeds, .begin = begin_seeds, .reply = api_json_page_reply};
