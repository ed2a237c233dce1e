/* /v1/me/export: a file with all data about a player. The player requests it, the server builds it in the
 * background (server/http/upkeep.c), and the player downloads it in parts. REST loops; passwords are
 * compared on workers. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/reauth.h"
#include "base/bug.h"

#include <inttypes.h>

/* --- GET, POST /v1/me/export --- */

static const struct db_stmt do_request_export = {
    "do_request_export", "SELECT code, body FROM do_request_export($1, $2, $3, $4, $5)", 5};

static enum api_next request_export(struct api_request *request, const PGresult *none)
{
    (void)none;
    api_reauth_bind_account(request);
    return api_query(request, &do_request_export, true, api_json_reply);
}

static enum api_next after_account(struct api_request *request, const PGresult *rows)
{
    return api_reauth_account(request, rows, request_export);
}

/* --- GET /v1/me/export/{export}/parts/{part} --- */

static const struct db_stmt q_export_part = {"q_export_part", "SELECT part FROM q_export_part($1, $2, $3)",
                                             3};

static enum api_next bind_part(struct api_request *request)
{
    int64_t part;
    if (api_bind_player_and_id(request) == API_DONE || !api_param_id(request, 1, &part))
        return API_DONE;
    db_args_int(&request->args, part);
    return API_QUERY;
}

static enum api_next reply_part(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_NO_SUCH_EXPORT);
    int64_t export, part;
    if (!api_param_id(request, 0, &export) || !api_param_id(request, 1, &part))
        return API_DONE;
    api_reply_file(request, "my-data-%" PRId64 "-part-%" PRId64 ".ndjson", export, part);
    (void)api_row_reply_text(request, rows, "part");
    request->content_type = "application/x-ndjson";
    return API_DONE;
}

API_OPERATION(requestExport) = {
    .computes = true, .stmt = &api_reauth_account_stmt, .begin = api_bind_player, .reply = after_account};
API_OPERATION(getExportPart) = {.stmt = &q_export_part, .begin = bind_part, .reply = reply_part};
