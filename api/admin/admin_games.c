/* /v1/admin/games/{game}/record: a game as evidence. REST loops. */
#include "api/admin/admin.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/play/games.h"
#include "base/bug.h"

#include <string.h>

static const struct db_stmt do_record = {"do_admin_record",
                                         "SELECT code, body FROM do_admin_record($1, $2, $3)", 3};

static enum api_next bind_record(struct api_request *request)
{
    int64_t hand = api_hand_read(request);
    if (api_admin_bind_id(request) == API_DONE || request->code != API_OK)
        return API_DONE;
    if (hand > 0)
        db_args_int(&request->args, hand);
    else
        db_args_null(&request->args);
    return API_QUERY;
}

static enum api_next reply_record(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    return strcmp(code, "ok") == 0 ? api_record_reply(request, rows, "body") : api_refuse_sql(request, code);
}

API_OPERATION(adminGetRecord) = {
    .stmt = &do_record, .writes = true, .begin = bind_record, .reply = reply_record};
