/* Tables that players open: what can be played, opening one, the list of public ones, joining. The engine's
 * part (variants and their options) is behind ports. REST loops. */
#include "api/form.h"
#include "api/page.h"
#include "api/resources.h"
#include "api/seats.h"
#include "api/tickets.h"
#include "base/bug.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS_MAX = 8,
    CODES_N = 4,
    CODE_LEN = 6,
    SEATS_MAX = 6,
    STAKE_MAX = 1000000,
    POINT_VALUE_MAX = 1000,
    WATCH_DELAY_MS_MAX = 3600000
};

static const char list_tables[] = "tables";
static const char code_letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/* GET /v1/variants */

static enum api_next begin_variants(struct api_call *call)
{
    struct buf *out = api_reply_json(call, 200);
    json_key(out, "items");
    call->env->ports.variants_write(call->env->ports.ctx, out);
    json_close(out, '}');
    return API_DONE;
}

/* POST /v1/tables */

static bool form_visibility(const char *text)
{
    return strcmp(text, "private") == 0 || strcmp(text, "public") == 0;
}

/* 1..3, as the database counts them; 0: no such word. */
static int level_of(const char *word)
{
    static const char *const words[] = {"easy", "medium", "strong"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i], word) == 0)
            return (int)i + 1;
    return 0;
}

static bool form_level(const char *text)
{
    return level_of(text) > 0;
}

enum { B_VARIANT, B_SEATS, B_OPTIONS, B_VISIBILITY, B_BOTS, B_LEVEL, B_STAKE, B_POINT_VALUE, B_WATCH };
static const struct spec_member open_members[] = {
    [B_VARIANT] = {.name = "variant",
                   .type = SPEC_TEXT,
                   .required = true,
                   .min = 1,
                   .max = 32,
                   .form = form_name,
                   .form_is = "must be the id of a variant"},
    [B_SEATS] = {.name = "seats", .type = SPEC_INT, .required = true, .min = 2, .max = SEATS_MAX},
    [B_OPTIONS] = {.name = "options", .type = SPEC_OBJECT, .min = 0, .max = OPTIONS_MAX},
    [B_VISIBILITY] = {.name = "visibility",
                      .type = SPEC_TEXT,
                      .min = 6,
                      .max = 7,
                      .form = form_visibility,
                      .form_is = "must be private or public"},
    [B_BOTS] = {.name = "bots", .type = SPEC_INT_OR_TRUE, .min = 0, .max = SEATS_MAX - 1},
    [B_LEVEL] = {.name = "bot_level",
                 .type = SPEC_TEXT,
                 .min = 4,
                 .max = 6,
                 .form = form_level,
                 .form_is = "must be easy, medium or strong"},
    [B_STAKE] = {.name = "stake", .type = SPEC_INT, .min = 0, .max = STAKE_MAX},
    [B_POINT_VALUE] = {.name = "point_value", .type = SPEC_INT, .min = 0, .max = POINT_VALUE_MAX},
    [B_WATCH] = {.name = "watch_delay_ms", .type = SPEC_INT_OR_NULL, .min = 0, .max = WATCH_DELAY_MS_MAX},
};
static const struct spec open_spec = {open_members, ARRAY_LEN(open_members), 1024, false};

static const struct db_stmt do_open_table = {
    "do_open_table",
    "SELECT " SEAT_COLUMNS
    ", join_code FROM do_open_table($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, "
    "$13, $14, $15, $16, $17, $18)",
    18};

/* false: the call has failed. */
static bool read_options(struct api_call *call, struct api_option options[OPTIONS_MAX], size_t *n)
{
    const char *key;
    const json_t *value;
    json_t *object = json_object_get(call->tree, "options");
    json_object_foreach(object, key, value)
    {
        struct api_option *option = &options[(*n)++];
        int len = json_is_integer(value) ? snprintf(option->value, sizeof(option->value), "%lld",
                                                    (long long)json_integer_value(value))
                  : json_is_string(value)
                      ? snprintf(option->value, sizeof(option->value), "%s", json_string_value(value))
                      : snprintf(option->value, sizeof(option->value), "%d", json_is_true(value));
        option->name = key;
        if (len < 0 || (size_t)len >= sizeof(option->value)) {
            (void)api_fail(call, API_BAD_OPTION, "The option `%.40s` has no such value.", key);
            return false;
        }
    }
    return true;
}

/* false: the call has failed. */
static bool bind_params(struct api_call *call)
{
    struct api_option options[OPTIONS_MAX];
    size_t n = 0;
    char params_text[512], detail_text[API_DETAIL_MAX];
    struct buf params = buf_on(params_text, sizeof(params_text)),
               detail = buf_on(detail_text, sizeof(detail_text));
    const struct api_ports *ports = &call->env->ports;
    if (!read_options(call, options, &n))
        return false;
    enum api_code code = ports->table_params(ports->ctx, call->body[B_VARIANT].text,
                                             (int)call->body[B_SEATS].number, options, n, &params, &detail);
    if (code != API_OK) {
        (void)api_fail(call, code, "%.*s", (int)detail.len, detail_text);
        return false;
    }
    ASSERT(!params.full);
    db_args_text(&call->args, call->body[B_VARIANT].text);
    db_args_text_n(&call->args, params_text, params.len);
    return true;
}

/* false: memory is short. */
static bool bind_option_text(struct api_call *call)
{
    const json_t *object = call->body[B_OPTIONS].object;
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (object && !text)
        return false;
    db_args_text(&call->args, text ? text : "{}");
    free(text);
    return true;
}

/* Random codes; the database takes the first that is free. */
static void bind_codes(struct api_call *call)
{
    char codes[CODES_N][CODE_LEN];
    struct db_slice slices[CODES_N];
    for (size_t i = 0; i < CODES_N; i++) {
        for (size_t k = 0; k < CODE_LEN; k++)
            codes[i][k] = code_letters[randombytes_uniform(sizeof(code_letters) - 1)];
        slices[i] = (struct db_slice){codes[i], CODE_LEN};
    }
    db_args_text_array(&call->args, slices, CODES_N);
}

static enum api_next bind_open(struct api_call *call)
{
    const struct spec_value *body = call->body;
    int64_t seats = body[B_SEATS].number, bots = body[B_BOTS].flag ? seats - 1 : body[B_BOTS].number;
    if (bots >= seats)
        return api_fail(call, API_OUT_OF_RANGE, "The member `bots` must leave a seat for you.");
    db_args_int(&call->args, call->player_id);
    if (!bind_params(call))
        return API_DONE;
    if (!bind_option_text(call))
        return api_refuse(call, API_BUSY);
    db_args_int(&call->args, seats);
    db_args_text(&call->args, body[B_VISIBILITY].set ? body[B_VISIBILITY].text : "private");
    db_args_int(&call->args, bots);
    db_args_int(&call->args, body[B_LEVEL].set ? level_of(body[B_LEVEL].text) : level_of("medium"));
    seat_bind_key(call);
    ticket_bind_new(call);
    seat_bind_seed(call);
    db_args_text(&call->args, call->env->node);
    bind_codes(call);
    db_args_int(&call->args, body[B_STAKE].number);
    db_args_int(&call->args, body[B_POINT_VALUE].number);
    if (body[B_WATCH].flag)
        db_args_null(&call->args);
    else
        db_args_int(&call->args, body[B_WATCH].number);
    return API_QUERY;
}

/* POST /v1/tables/join and /v1/tables/{table}/seats */

static bool form_code(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == strlen(text);
}

static const struct spec_member join_members[] = {
    {.name = "code",
     .type = SPEC_TEXT,
     .required = true,
     .min = CODE_LEN,
     .max = CODE_LEN,
     .form = form_code,
     .form_is = "must be the letters and digits you were given"},
};
static const struct spec join_spec = {join_members, ARRAY_LEN(join_members), 256, false};
static const struct spec empty_spec = {.bytes_max = 256, .optional = true};

static const struct db_stmt do_join_table = {
    "do_join_table", "SELECT " SEAT_COLUMNS ", join_code FROM do_join_table($1, $2, $3, $4, $5, $6)", 6};

static enum api_next bind_join_rest(struct api_call *call)
{
    seat_bind_key(call);
    ticket_bind_new(call);
    return API_QUERY;
}

/* People may type a code in small letters. */
static enum api_next bind_join_by_code(struct api_call *call)
{
    char code[CODE_LEN + 1] = "";
    for (size_t i = 0; i < CODE_LEN; i++) {
        char c = call->body[0].text[i];
        code[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    db_args_int(&call->args, call->player_id);
    db_args_null(&call->args);
    db_args_text(&call->args, code);
    return bind_join_rest(call);
}

static enum api_next bind_join(struct api_call *call)
{
    if (api_bind_player_and_id(call) == API_DONE)
        return API_DONE;
    db_args_null(&call->args);
    return bind_join_rest(call);
}

/* GET /v1/tables */

static const struct db_stmt q_public_tables = {
    "q_public_tables",
    "SELECT t.id, t.variant, t.options, t.seats_n AS seats, t.people_n AS people, t.bots_n AS bots, t.stake, "
    "t.point_value, t.watch_delay_ms, "
    "p.nickname AS creator, " ROW_TIME("t.created_at",
                                       "created_at") " FROM tables t JOIN players p ON p.id = "
                                                     "t.creator_id WHERE t.visibility = 'public' AND t.state "
                                                     "= 'waiting' AND t.people_n + t.bots_n < t.seats_n "
                                                     "AND $1::bigint > 0 AND t.id < $2 AND ($4 = '' OR "
                                                     "t.variant = $4) ORDER BY t.id DESC LIMIT $3",
    4};

/* The list a cursor is bound to: each filter has its own. */
static void list_name(const struct api_call *call, char out[48])
{
    (void)snprintf(out, 48, "%s-%.20s", list_tables, call->variant ? call->variant : "");
}

static enum api_next bind_tables(struct api_call *call)
{
    char list[48];
    if (call->variant && !form_name(call->variant))
        return api_fail(call, API_BAD_PARAMETER, "`variant` must be the id of a variant.");
    list_name(call, list);
    if (page_bind(call, list) == API_DONE)
        return API_DONE;
    db_args_text(&call->args, call->variant ? call->variant : "");
    return API_QUERY;
}

static void write_table(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    json_key(out, "table_id");
    json_text(out, row_get(rows, i, "id"));
    row_text(out, rows, i, "variant");
    json_key(out, "options");
    json_raw(out, row_get(rows, i, "options"));
    row_int(out, rows, i, "seats");
    row_int(out, rows, i, "people");
    row_int(out, rows, i, "bots");
    row_int(out, rows, i, "stake");
    row_int(out, rows, i, "point_value");
    row_int(out, rows, i, "watch_delay_ms");
    row_text(out, rows, i, "creator");
    row_time(out, rows, i, "created_at");
    json_close(out, '}');
}

static enum api_next reply_tables(struct api_call *call, const PGresult *rows)
{
    char list[48];
    list_name(call, list);
    return page_reply(call, list, rows, write_table);
}

const struct api_route api_custom_routes[] = {
    {.method = "GET",
     .path = "/v1/variants",
     .id = "listVariants",
     .tagged = true,
     .role = API_ANYONE,
     .rate = API_RATE_READ,
     .begin = begin_variants},
    {.method = "GET",
     .path = "/v1/tables",
     .id = "listTables",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_public_tables,
     .begin = bind_tables,
     .reply = reply_tables},
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
     .reply = seat_reply},
    {.method = "POST",
     .path = "/v1/tables/join",
     .id = "joinTable",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .takes_seat = true,
     .body = &join_spec,
     .stmt = &do_join_table,
     .writes = true,
     .begin = bind_join_by_code,
     .reply = seat_reply},
    {.method = "POST",
     .path = "/v1/tables/{table}/seats",
     .id = "takeTableSeat",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .idempotent = true,
     .takes_seat = true,
     .body = &empty_spec,
     .stmt = &do_join_table,
     .writes = true,
     .begin = bind_join,
     .reply = seat_reply},
};
const size_t api_custom_routes_n = ARRAY_LEN(api_custom_routes);
