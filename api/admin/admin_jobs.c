/* /v1/admin/jobs, /seasons/rollover, /audit: jobs started by schedulers, and the audit log of operators. A
 * job is a sequence of short steps, each a separate transaction. REST loops. */
#include "api/admin/admin.h"

#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/core/validators.h"
#include "base/bug.h"

#include <string.h>

/* --- a job, step by step --- */

static const struct db_stmt do_job = {
    "do_job", "SELECT code, again, body, " API_REPEATED " FROM do_job($1, $2, $3, $4, $5)", 5};

static enum api_next bind_job(struct api_request *request, const char *job)
{
    ASSERT(request->route->operation->job && request->idempotency_key && request->job_step >= 0);
    (void)api_admin_bind_key(request);
    db_args_text(&request->args, job);
    api_bind_idempotency(request);
    db_args_int(&request->args, request->job_step);
    return API_QUERY;
}

/* POST /v1/admin/jobs/{job} */

static enum api_next bind_any_job(struct api_request *request)
{
    if (!api_valid_name(request->params[0]))
        return api_refuse(request, API_NO_SUCH_JOB);
    return bind_job(request, request->params[0]);
}

/* POST /v1/admin/seasons/rollover */

static enum api_next bind_rollover(struct api_request *request)
{
    return bind_job(request, "season_rollover");
}

static enum api_next reply_job(struct api_request *request, const PGresult *rows)
{
    if (!db_bool(rows, 0, db_col(rows, "again")))
        return api_json_reply(request, rows);
    request->job_step++;
    return request->route->operation->begin(request);
}

/* --- the log: GET /v1/admin/audit --- */

static const struct db_stmt q_audit = {
    "q_audit", "SELECT code, body, at1, at2, at3 FROM q_audit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", 10};

static enum api_next bind_audit(struct api_request *request)
{
    if (api_admin_bind_page(request) == API_DONE)
        return API_DONE;
    api_bind_query_id(request, "player", request->player);
    api_bind_word(request, "key", request->key);
    api_bind_word(request, "action", request->action);
    return api_bind_times(request);
}

/* The database validates the filters, because only it has the keys and actions. */
static enum api_next reply_audit(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) > 0 && strcmp(api_row_get(rows, 0, "code"), api_code_name(API_BAD_PARAMETER)) == 0)
        return api_fail_parameter(request, api_row_get(rows, 0, "body"), API_FAULT_UNKNOWN_VALUE, 0, 0);
    return api_json_page_reply(request, rows);
}

API_OPERATION(rollSeasons) = {
    .job = true, .stmt = &do_job, .writes = true, .begin = bind_rollover, .reply = reply_job};
API_OPERATION(runJob) = {
    .job = true, .stmt = &do_job, .writes = true, .begin = bind_any_job, .reply = reply_job};
API_OPERATION(listAudit) = {.stmt = &q_audit, .writes = true, .begin = bind_audit, .reply = reply_audit};
