/* POST /v1/tables: opens a private or public table, for everyone or for a club. The engine defines variants
 * and options, behind ports. REST loops. */
#include "api/core/operations.h"
#include "api/play/seats.h"
#include "api/play/table_options.h"
#include "api/play/ticket_rows.h"
#include "base/bug.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CODES_N = 4,
    CODE_LEN = API_JOIN_CODE_LEN,
};

static const char code_letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

static const struct db_stmt do_open_table = {
    "do_open_table",
    "SELECT " API_SEAT_COLUMNS
    ", join_code FROM do_open_table($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, "
    "$13, $14, $15, $16, $17, $18, $19, $20, $21)",
    21};

/* Binds random codes, of which the database takes the first free one. */
static void bind_codes(struct api_request *request)
{
    char codes[CODES_N][CODE_LEN];
    struct db_slice slices[CODES_N];
    for (size_t i = 0; i < CODES_N; i++) {
        for (size_t k = 0; k < CODE_LEN; k++)
            codes[i][k] = code_letters[randombytes_uniform(sizeof(code_letters) - 1)];
        slices[i] = (struct db_slice){codes[i], CODE_LEN};
    }
    db_args_text_array(&request->args, slices, CODES_N);
}

/* A club's table is for its members unless specified otherwise. */
static const char *visibility_of(const struct api_spec_value *body)
{
    return body[TABLE_REQUEST_VISIBILITY].set ? body[TABLE_REQUEST_VISIBILITY].text
           : body[TABLE_REQUEST_CLUB].set     ? "public"
                                              : "private";
}

static enum api_hand_clock hand_clock_of(const struct api_spec_value *body)
{
    if (body[TABLE_REQUEST_TURN_HOURS].number > 0)
        return API_HAND_CLOCK_NEVER;
    return strcmp(visibility_of(body), "private") == 0 ? API_HAND_CLOCK_CHOSEN : API_HAND_CLOCK_ALWAYS;
}

static enum api_next bind_open(struct api_request *request)
{
    const struct api_spec_value *body = request->body;
    int64_t seats = body[TABLE_REQUEST_SEATS].number, bots = body[TABLE_REQUEST_BOTS].number, club;
    if (bots >= seats) { /* one seat is for the player */
        const struct api_fault fault = {.code = API_FAULT_TOO_LARGE, .name = "bots", .max = seats - 1};
        (void)api_fail_fault(request, &fault);
    }
    db_args_int(&request->args, request->player_id);
    if (!api_table_params_bind(request, body[TABLE_REQUEST_VARIANT].text, seats, hand_clock_of(body)))
        return API_DONE;
    if (!api_table_options_bind(request, request->body[TABLE_REQUEST_OPTIONS].object))
        return api_refuse(request, API_BUSY);
    db_args_int(&request->args, seats);
    db_args_text(&request->args, visibility_of(body));
    db_args_int(&request->args, bots);
    db_args_int(&request->args, body[TABLE_REQUEST_BOT_LEVEL].set
                                    ? api_bot_level_of(body[TABLE_REQUEST_BOT_LEVEL].text)
                                    : api_bot_level_of("medium"));
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    api_seat_bind_seed(request);
    db_args_text(&request->args, request->env->node);
    bind_codes(request);
    db_args_int(&request->args, body[TABLE_REQUEST_STAKE].number);
    db_args_int(&request->args, body[TABLE_REQUEST_POINT_VALUE].number);
    if (body[TABLE_REQUEST_WATCH_DELAY_MS].flag)
        db_args_null(&request->args);
    else
        db_args_int(&request->args, body[TABLE_REQUEST_WATCH_DELAY_MS].number);
    if (body[TABLE_REQUEST_BOT_ACCOUNTS].set)
        db_args_bool(&request->args, body[TABLE_REQUEST_BOT_ACCOUNTS].flag);
    else
        db_args_null(&request->args);
    if (body[TABLE_REQUEST_TURN_HOURS].number > 0)
        db_args_int(&request->args, body[TABLE_REQUEST_TURN_HOURS].number);
    else
        db_args_null(&request->args);
    if (body[TABLE_REQUEST_CLUB].set && text_i64(body[TABLE_REQUEST_CLUB].text, 1, INT64_MAX, &club))
        db_args_int(&request->args, club);
    else
        db_args_null(&request->args);
    return API_QUERY;
}

API_OPERATION(openTable) = {
    .stmt = &do_open_table, .writes = true, .begin = bind_open, .reply = api_seat_reply};
