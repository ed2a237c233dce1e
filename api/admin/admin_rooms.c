/* POST /v1/admin/rooms: rooms are rows, so operators can create them without a build. REST loops. */
#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/play/table_options.h"
#include "base/bug.h"

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
    db_args_text(&request->args, body[ROOM_REQUEST_ID].text);
    db_args_text(&request->args, body[ROOM_REQUEST_NAME].text);
    if (!api_table_params_bind(request, body[ROOM_REQUEST_VARIANT].text, body[ROOM_REQUEST_SEATS].number,
                               API_HAND_CLOCK_ALWAYS))
        return API_DONE;
    db_args_int(&request->args, body[ROOM_REQUEST_SEATS].number);
    db_args_int(&request->args, body[ROOM_REQUEST_STAKE].number);
    db_args_int(&request->args, body[ROOM_REQUEST_REWARD].number);
    db_args_int(&request->args, number_or(&body[ROOM_REQUEST_MULTIPLIER_TENTHS], 10));
    db_args_text(&request->args, body[ROOM_REQUEST_TITLE].text);
    db_args_bool(&request->args, flag_or(&body[ROOM_REQUEST_OPEN], true));
    db_args_bool(&request->args, flag_or(&body[ROOM_REQUEST_BOTS], true));
    db_args_int(
        &request->args,
        api_bot_level_of(body[ROOM_REQUEST_BOT_LEVEL].set ? body[ROOM_REQUEST_BOT_LEVEL].text : "medium"));
    db_args_int(&request->args, number_or(&body[ROOM_REQUEST_FILL_WAIT_MS], 10000));
    if (body[ROOM_REQUEST_WATCH_DELAY_MS].flag)
        db_args_null(&request->args);
    else
        db_args_int(&request->args, body[ROOM_REQUEST_WATCH_DELAY_MS].number);
    db_args_bool(&request->args, body[ROOM_REQUEST_BOT_ACCOUNTS].flag);
    return API_QUERY;
}

API_OPERATION(openRoom) = {.stmt = &do_open, .writes = true, .begin = bind_open, .reply = api_json_reply};
