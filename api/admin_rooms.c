/* /v1/admin/rooms: rooms are rows that operators create and change without a build. Open tables keep what
 * they were opened with. REST loops. */
#include "api/admin.h"
#include "api/json_reply.h"
#include "api/operations.h"
#include "api/seats.h"
#include "api/table_options.h"
#include "api/validators.h"
#include "base/bug.h"

enum {
    CHIPS_MAX = 1000000,
    TENTHS_MAX = 1000,
    FILL_WAIT_MS_MAX = 600000,
    WATCH_DELAY_MS_MAX = 3600000,
    NAME_MAX_CHARACTERS = 40,
};

/* --- POST /v1/admin/rooms --- */

enum {
    B_ID,
    B_NAME,
    B_VARIANT,
    B_SEATS,
    B_OPTIONS,
    B_STAKE,
    B_REWARD,
    B_TENTHS,
    B_TITLE,
    B_OPEN,
    B_BOTS,
    B_LEVEL,
    B_FILL,
    B_WATCH,
    B_BOT_ACCOUNTS
};
static const struct api_spec_member open_members[] = {
    [B_ID] = API_NAME_MEMBER("id", true),
    [B_NAME] = API_LABEL_MEMBER("name", true, NAME_MAX_CHARACTERS),
    [B_VARIANT] = API_NAME_MEMBER("variant", true),
    [B_SEATS] =
        {.name = "seats", .type = API_SPEC_INT, .required = true, .min = 2, .max = API_TABLE_SEATS_MAX},
    [B_OPTIONS] = {.name = "options", .type = API_SPEC_OBJECT, .min = 0, .max = API_TABLE_OPTIONS_MAX},
    [B_STAKE] = {.name = "stake", .type = API_SPEC_INT, .required = true, .min = 0, .max = CHIPS_MAX},
    [B_REWARD] = {.name = "reward", .type = API_SPEC_INT, .required = true, .min = 0, .max = CHIPS_MAX},
    [B_TENTHS] = {.name = "multiplier_tenths", .type = API_SPEC_INT, .min = 0, .max = TENTHS_MAX},
    [B_TITLE] = API_LABEL_MEMBER("title", true, NAME_MAX_CHARACTERS),
    [B_OPEN] = {.name = "open", .type = API_SPEC_BOOL},
    [B_BOTS] = {.name = "bots", .type = API_SPEC_BOOL},
    [B_LEVEL] = {.name = "bot_level", .type = API_SPEC_TEXT, .min = 4, .max = 6, .choices = api_bot_levels},
    [B_FILL] = {.name = "fill_wait_ms", .type = API_SPEC_INT, .min = 0, .max = FILL_WAIT_MS_MAX},
    [B_WATCH] = {.name = "watch_delay_ms", .type = API_SPEC_INT_OR_NULL, .min = 0, .max = WATCH_DELAY_MS_MAX},
    [B_BOT_ACCOUNTS] = {.name = "bot_accounts", .type = API_SPEC_BOOL},
};
static const struct api_spec open_spec = {
    .members = open_members, .members_n = ARRAY_LEN(open_members), .bytes_max = API_TEXTS_BODY_MAX};
static const struct db_stmt do_open = {
    "do_admin_open_room",
    "SELECT code, body, " API_REPEATED
    " FROM do_admin_open_room($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
    "$15, $16, $17, $18)",
    18};

static int64_t number_or(const struct api_spec_value *value, int64_t otherwise)
{
    return value->set ? value->number : otherwise;
}

static bool flag_or(const struct api_spec_value *value, bool otherwise)
{
    return value->set ? value->flag : otherwise;
}

static enum api_next bind_open(struct api_request *request)
{
    const struct api_spec_value *body = request->body;
    (void)api_admin_bind_key(request);
    api_bind_idempotency(request);
    db_args_text(&request->args, body[B_ID].text);
    db_args_text(&request->args, body[B_NAME].text);
    if (!api_table_params_bind(request, body[B_VARIANT].text, body[B_SEATS].number, API_HAND_CLOCK_ALWAYS))
        return API_DONE;
    db_args_int(&request->args, body[B_SEATS].number);
    db_args_int(&request->args, body[B_STAKE].number);
    db_args_int(&request->args, body[B_REWARD].number);
    db_args_int(&request->args, number_or(&body[B_TENTHS], 10));
    db_args_text(&request->args, body[B_TITLE].text);
    db_args_bool(&request->args, flag_or(&body[B_OPEN], true));
    db_args_bool(&request->args, flag_or(&body[B_BOTS], true));
    db_args_int(&request->args, api_bot_level_of(body[B_LEVEL].set ? body[B_LEVEL].text : "medium"));
    db_args_int(&request->args, number_or(&body[B_FILL], 10000));
    if (body[B_WATCH].flag)
        db_args_null(&request->args);
    else
        db_args_int(&request->args, body[B_WATCH].number);
    db_args_bool(&request->args, body[B_BOT_ACCOUNTS].flag);
    return API_QUERY;
}

static enum api_next reply_open(struct api_request *request, const PGresult *rows)
{
    return api_json_reply_created(request, rows, "/v1/admin/rooms/");
}

/* --- PATCH /v1/admin/rooms/{room} --- */

static const struct api_spec_member change_members[] = {
    API_LABEL_MEMBER("name", false, NAME_MAX_CHARACTERS),
    {.name = "stake", .type = API_SPEC_INT, .min = 0, .max = CHIPS_MAX},
    {.name = "reward", .type = API_SPEC_INT, .min = 0, .max = CHIPS_MAX},
    {.name = "multiplier_tenths", .type = API_SPEC_INT, .min = 0, .max = TENTHS_MAX},
    API_LABEL_MEMBER("title", false, NAME_MAX_CHARACTERS),
    {.name = "open", .type = API_SPEC_BOOL},
    {.name = "bots", .type = API_SPEC_BOOL},
    {.name = "fill_wait_ms", .type = API_SPEC_INT, .min = 0, .max = FILL_WAIT_MS_MAX},
    {.name = "bot_accounts", .type = API_SPEC_BOOL},
};
static const struct api_spec change_spec = {
    .members = change_members, .members_n = ARRAY_LEN(change_members), .bytes_max = API_TEXTS_BODY_MAX};
static const struct db_stmt do_change = {
    "do_admin_room",
    "SELECT code, body, cancels FROM do_admin_room($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", 11};

static enum api_next bind_change(struct api_request *request)
{
    return api_admin_bind_change(request, API_NO_SUCH_ROOM);
}

static enum api_next reply_change(struct api_request *request, const PGresult *rows)
{
    api_tables_cancelled(request, rows);
    return api_json_reply(request, rows);
}

API_OPERATION(openRoom) = {
    .body = &open_spec, .stmt = &do_open, .writes = true, .begin = bind_open, .reply = reply_open};
API_OPERATION(changeRoom) = {
    .body = &change_spec, .stmt = &do_change, .writes = true, .begin = bind_change, .reply = reply_change};
