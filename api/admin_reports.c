/* /v1/admin/reports: the queue of what players said of players, and that one of them is dealt with. REST
 * loops. */
#include "api/admin.h"
#include "api/resources.h"
#include "api/tree.h"
#include "base/bug.h"

static const char list_reports[] = "reports";

static const struct db_stmt do_reports = {
    "do_admin_reports", "SELECT code, body, at1, at2, at3 FROM do_admin_reports($1, $2, $3, $4, $5)", 5};
static const struct db_stmt do_close_report = {
    "do_admin_close_report", "SELECT code, body FROM do_admin_close_report($1, $2, $3, $4, $5)", 5};

static const struct spec_member note_members[] = {
    {.name = "note", .type = SPEC_TEXT, .required = true, .min = 1, .max = 200},
};
static const struct spec note_spec = {
    .members = note_members, .members_n = ARRAY_LEN(note_members), .bytes_max = 2048};

static enum api_next bind_reports(struct api_call *call)
{
    admin_bind_key(call);
    return tree_page_bind(call, list_reports);
}

static enum api_next reply_reports(struct api_call *call, const PGresult *rows)
{
    return tree_page_reply(call, list_reports, rows);
}

static enum api_next bind_close(struct api_call *call)
{
    admin_bind_action(call);
    if (api_bind_id(call) == API_DONE)
        return API_DONE;
    db_args_text(&call->args, call->body[0].text);
    return API_QUERY;
}

const struct api_route api_admin_reports_routes[] = {
    {.method = "GET",
     .path = "/v1/admin/reports",
     .id = "listReports",
     ADMIN,
     .stmt = &do_reports,
     .begin = bind_reports,
     .reply = reply_reports},
    {.method = "POST",
     .path = "/v1/admin/reports/{report}/close",
     .id = "closeReport",
     ADMIN,
     .idempotent = true,
     .body = &note_spec,
     .stmt = &do_close_report,
     .begin = bind_close,
     .reply = tree_reply},
};
const size_t api_admin_reports_routes_n = ARRAY_LEN(api_admin_reports_routes);
