/* POST /v1/daily-deals/{day}/{variant}/plays: one deal per day with the same cards for all players
 * (docs/daily-deal.md). REST loops. */
#include "api/core/operations.h"
#include "api/core/validators.h"
#include "api/play/seats.h"
#include "api/play/ticket_rows.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

static const struct db_stmt do_daily_play = {
    "do_daily_play",
    "SELECT " API_SEAT_COLUMNS " FROM do_daily_play($1, $2::text::date, $3, $4, $5, $6, $7, $8)", 8};

static enum api_next begin_play(struct api_request *request)
{
    uint8_t seed[API_SEED_MAX];
    const char *text = request->body[DAILY_PLAY_SEED].text;
    if (!api_valid_day(request->params[0]) || !api_valid_name(request->params[1]))
        return api_refuse(request, API_NO_SUCH_DAILY);
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, request->params[0]);
    db_args_text(&request->args, request->params[1]);
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
