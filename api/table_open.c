/* POST /v1/tables: a player opens a table of their own, private or public. The engine's part (variants and
 * their options) is behind ports. REST loops. */
#include "api/resources.h"
#include "api/seats.h"
#include "api/tickets.h"
#include "api/validators.h"
#include "base/bug.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS_MAX = 8,
    CODES_N = 4,
    CODE_LEN = API_JOIN_CODE_LEN,
    SEATS_MAX = 6,
    STAKE_MAX = 1000000,
    POINT_VALUE_MAX = 1000,
    WATCH_DELAY_MS_MAX = 3600000
};

static const char code_letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

static const char *const visibilities[] = {"private", "public", NULL};
static const char *const levels[] = {"easy", "medium", "strong", NULL};

/* 1..3, as the database counts them. word is one of levels: the body's check saw to that. */
static int level_of(const char *word)
{
    int i = 0;
    while (levels[i] && strcmp(levels[i], word) != 0)
        i++;
    ASSERT(levels[i]);
    return i + 1;
}

enum { B_VARIANT, B_SEATS, B_OPTIONS, B_VISIBILITY, B_BOTS, B_LEVEL, B_STAKE, B_POINT_VALUE, B_WATCH };
static const struct api_spec_member open_members[] = {
    [B_VARIANT] = {.name = "variant",
                   .type = API_SPEC_TEXT,
                   .required = true,
                   .min = 1,
                   .max = 32,
                   .valid = api_valid_name,
                   .fault = API_FAULT_BAD_NAME},
    [B_SEATS] = {.name = "seats", .type = API_SPEC_INT, .required = true, .min = 2, .max = SEATS_MAX},
    [B_OPTIONS] = {.name = "options", .type = API_SPEC_OBJECT, .min = 0, .max = OPTIONS_MAX},
    [B_VISIBILITY] =
        {.name = "visibility", .type = API_SPEC_TEXT, .min = 6, .max = 7, .choices = visibilities},
    [B_BOTS] = {.name = "bots", .type = API_SPEC_INT_OR_TRUE, .min = 0, .max = SEATS_MAX - 1},
    [B_LEVEL] = {.name = "bot_level", .type = API_SPEC_TEXT, .min = 4, .max = 6, .choices = levels},
    [B_STAKE] = {.name = "stake", .type = API_SPEC_INT, .min = 0, .max = STAKE_MAX},
    [B_POINT_VALUE] = {.name = "point_value", .type = API_SPEC_INT, .min = 0, .max = POINT_VALUE_MAX},
    [B_WATCH] = {.name = "watch_delay_ms", .type = API_SPEC_INT_OR_NULL, .min = 0, .max = WATCH_DELAY_MS_MAX},
};
static const struct api_spec open_spec = {open_members, ARRAY_LEN(open_members), 1024, false};

static const struct db_stmt do_open_table = {
    "do_open_table",
    "SELECT " API_SEAT_COLUMNS
    ", join_code FROM do_open_table($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, "
    "$13, $14, $15, $16, $17, $18)",
    18};

/* The options of the body, each with its value in letters. */
static void read_options(const struct api_request *request, struct api_option options[OPTIONS_MAX], size_t *n)
{
    const char *key;
    const json_t *value;
    json_t *object = json_object_get(request->json, "options");
    json_object_foreach(object, key, value)
    {
        ASSERT(*n < OPTIONS_MAX); /* the body's check has counted them */
        struct api_option *option = &options[(*n)++];
        int len = json_is_integer(value) ? snprintf(option->value, sizeof(option->value), "%lld",
                                                    (long long)json_integer_value(value))
                  : json_is_string(value)
                      ? snprintf(option->value, sizeof(option->value), "%s", json_string_value(value))
                      : snprintf(option->value, sizeof(option->value), "%d", json_is_true(value));
        option->name = key;
        if (len < 0 || (size_t)len >= sizeof(option->value))
            option->value[0] = '\0'; /* longer than any: no option takes this */
    }
}

/* false: the request has failed. */
static bool bind_params(struct api_request *request)
{
    struct api_option options[OPTIONS_MAX];
    size_t n = 0;
    char params_text[512];
    struct buf params = buf_on(params_text, sizeof(params_text));
    const struct api_ports *ports = &request->env->ports;
    struct api_faults faults = {0};
    read_options(request, options, &n);
    ports->table_params(ports->ctx, request->body[B_VARIANT].text, (int)request->body[B_SEATS].number,
                        options, n, &params, &faults);
    for (size_t i = 0; i < faults.n; i++)
        (void)api_fail_fault(request, &faults.list[i]);
    if (request->code != API_OK)
        return false;
    ASSERT(!params.full);
    db_args_text(&request->args, request->body[B_VARIANT].text);
    db_args_text_n(&request->args, params_text, params.len);
    return true;
}

/* false: memory is short. */
static bool bind_option_text(struct api_request *request)
{
    const json_t *object = request->body[B_OPTIONS].object;
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (object && !text)
        return false;
    db_args_text(&request->args, text ? text : "{}");
    free(text);
    return true;
}

/* Random codes; the database takes the first that is free. */
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

static enum api_next bind_open(struct api_request *request)
{
    const struct api_spec_value *body = request->body;
    int64_t seats = body[B_SEATS].number, bots = body[B_BOTS].flag ? seats - 1 : body[B_BOTS].number;
    if (bots >= seats) { /* one is the player's */
        const struct api_fault fault = {.code = API_FAULT_TOO_LARGE, .name = "bots", .max = seats - 1};
        (void)api_fail_fault(request, &fault);
    }
    db_args_int(&request->args, request->player_id);
    if (!bind_params(request))
        return API_DONE;
    if (!bind_option_text(request))
        return api_refuse(request, API_BUSY);
    db_args_int(&request->args, seats);
    db_args_text(&request->args, body[B_VISIBILITY].set ? body[B_VISIBILITY].text : "private");
    db_args_int(&request->args, bots);
    db_args_int(&request->args, body[B_LEVEL].set ? level_of(body[B_LEVEL].text) : level_of("medium"));
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    api_seat_bind_seed(request);
    db_args_text(&request->args, request->env->node);
    bind_codes(request);
    db_args_int(&request->args, body[B_STAKE].number);
    db_args_int(&request->args, body[B_POINT_VALUE].number);
    if (body[B_WATCH].flag)
        db_args_null(&request->args);
    else
        db_args_int(&request->args, body[B_WATCH].number);
    return API_QUERY;
}

const struct api_route api_table_open_routes[] = {
    {.method = "POST",
     .path = "/v1/tables",
     .id = "openTable",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .takes_seat = true,
     .body = &open_spec,
     .stmt = &do_open_table,
     .writes = true,
     .begin = bind_open,
     .reply = api_seat_reply},
};
const size_t api_table_open_routes_n = ARRAY_LEN(api_table_open_routes);
