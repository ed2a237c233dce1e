/* /v1/admin/tournaments and /v1/admin/prize-tables: announce tournaments, and define how pots are divided
 * (docs/tournaments.md). REST loops. */
#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/play/table_options.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum {
    ENTRIES_MAX = 10000,
    SHARES_MAX = 64, /* shares of a prize table, all steps together */
};

/* --- POST /v1/admin/tournaments --- */

static const struct db_stmt do_make = {
    "do_admin_tournament",
    "SELECT code, body, " API_REPEATED
    " FROM do_admin_tournament($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
    "$15, $16, $17, $18, $19, $20, $21, $22, $23, $24)",
    24};

static void bind_number(struct api_request *request, int member)
{
    if (request->body[member].set)
        db_args_int(&request->args, request->body[member].number);
    else
        db_args_null(&request->args);
}

static void bind_numbers(struct api_request *request)
{
    const struct api_spec_value *body = request->body;
    int64_t starts_ms = 0;
    db_args_int(&request->args, body[TOURNAMENT_REQUEST_SEATS].number);
    bind_number(request, TOURNAMENT_REQUEST_ADVANCE);
    bind_number(request, TOURNAMENT_REQUEST_KEEP_PERCENT);
    bind_number(request, TOURNAMENT_REQUEST_ROUNDS);
    db_args_int(&request->args, body[TOURNAMENT_REQUEST_ENTRY].number);
    if (body[TOURNAMENT_REQUEST_PRIZE_TABLE].set)
        db_args_text(&request->args, body[TOURNAMENT_REQUEST_PRIZE_TABLE].text);
    else
        db_args_null(&request->args);
    bind_number(request, TOURNAMENT_REQUEST_ENTRIES_MIN);
    db_args_int(&request->args, body[TOURNAMENT_REQUEST_ENTRIES_MAX].number);
    db_args_int(&request->args, body[TOURNAMENT_REQUEST_BOTS_TO].number);
    db_args_int(&request->args, api_bot_level_of(body[TOURNAMENT_REQUEST_BOT_LEVEL].set
                                                     ? body[TOURNAMENT_REQUEST_BOT_LEVEL].text
                                                     : "medium"));
    if (body[TOURNAMENT_REQUEST_STARTS_AT].set &&
        clock_read_rfc3339(body[TOURNAMENT_REQUEST_STARTS_AT].text, &starts_ms))
        db_args_int(&request->args, starts_ms);
    else
        db_args_null(&request->args);
    db_args_int(&request->args, body[TOURNAMENT_REQUEST_LATE_S].number);
    db_args_int(&request->args,
                body[TOURNAMENT_REQUEST_WAIT_S].set ? body[TOURNAMENT_REQUEST_WAIT_S].number : 60);
    db_args_int(&request->args,
                body[TOURNAMENT_REQUEST_BREAK_S].set ? body[TOURNAMENT_REQUEST_BREAK_S].number : 30);
}

static enum api_next bind_make(struct api_request *request)
{
    const struct api_spec_value *body = request->body;
    uint8_t seed[32];
    (void)api_admin_bind_key(request);
    api_bind_idempotency(request);
    db_args_text(&request->args, body[TOURNAMENT_REQUEST_NAME].text);
    db_args_text(&request->args, body[TOURNAMENT_REQUEST_KIND].text);
    if (!api_table_params_bind(request, body[TOURNAMENT_REQUEST_VARIANT].text,
                               body[TOURNAMENT_REQUEST_SEATS].number, API_HAND_CLOCK_ALWAYS))
        return API_DONE;
    if (!api_table_options_bind(request, body[TOURNAMENT_REQUEST_OPTIONS].object))
        return api_refuse(request, API_BUSY);
    bind_numbers(request);
    randombytes_buf(seed, sizeof(seed));
    db_args_bytes(&request->args, seed, sizeof(seed));
    sodium_memzero(seed, sizeof(seed));
    if (body[TOURNAMENT_REQUEST_DUPLICATE].set)
        db_args_bool(&request->args, body[TOURNAMENT_REQUEST_DUPLICATE].flag);
    else
        db_args_null(&request->args);
    return API_QUERY;
}

/* --- POST /v1/admin/prize-tables --- */

static const struct db_stmt do_prizes = {
    "do_admin_prize_table",
    "SELECT code, body, " API_REPEATED " FROM do_admin_prize_table($1, $2, $3, $4, $5, $6, $7)", 7};

/* Binds the shares of all steps in order, three numbers each. */
struct shares {
    int64_t mins[SHARES_MAX], places[SHARES_MAX], shares[SHARES_MAX];
    size_t n;
};

/* A step is, for example, "6500 3500" for 4 or more entries. */
static bool read_step(struct shares *all, const char *from, const char *list)
{
    int64_t entries, share, place = 0;
    char word[8];
    if (!text_i64(from, 1, ENTRIES_MAX, &entries))
        return false;
    while (*list) {
        size_t len = strcspn(list, " ");
        if (len == 0 || len >= sizeof(word) || all->n == SHARES_MAX)
            return false;
        memcpy(word, list, len);
        word[len] = '\0';
        list += len + (list[len] == ' ' && list[len + 1] != '\0');
        if (!text_i64(word, 1, 10000, &share))
            return false;
        all->mins[all->n] = entries;
        all->places[all->n] = ++place;
        all->shares[all->n++] = share;
    }
    return place > 0;
}

static enum api_next not_text(struct api_request *request, const char *member)
{
    static const char *const text[] = {"string", NULL};
    struct api_fault fault = {.code = API_FAULT_WRONG_TYPE, .parent = "shares", .allowed = text};
    (void)snprintf(fault.name, sizeof(fault.name), "%s", member);
    return api_fail_fault(request, &fault);
}

static enum api_next bind_prizes(struct api_request *request)
{
    struct shares all = {.n = 0};
    const char *from;
    const json_t *list;
    json_t *object = json_object_get(request->json, "shares");
    json_object_foreach(object, from, list)
    {
        if (!json_is_string(list))
            return not_text(request, from);
        if (!read_step(&all, from, json_string_value(list)))
            return api_refuse(request, API_BAD_PRIZES);
    }
    (void)api_admin_bind_key(request);
    api_bind_idempotency(request);
    db_args_text(&request->args, request->body[PRIZE_TABLE_REQUEST_ID].text);
    db_args_i64_array(&request->args, all.mins, all.n);
    db_args_i64_array(&request->args, all.places, all.n);
    db_args_i64_array(&request->args, all.shares, all.n);
    return API_QUERY;
}

API_OPERATION(makeTournament) = {
    .stmt = &do_make, .writes = true, .begin = bind_make, .reply = api_json_reply};
API_OPERATION(makePrizeTable) = {
    .stmt = &do_prizes, .writes = true, .begin = bind_prizes, .reply = api_json_reply};
