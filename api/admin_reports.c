/* /v1/admin/reports: the queue of players' reports about players, and closing a report. REST loops. */
#include "api/admin.h"
#include "api/json_reply.h"
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

static const struct db_stmt do_reports = {
    "do_admin_reports", "SELECT code, body, at1, at2, at3 FROM do_admin_reports($1, $2, $3, $4, $5)", 5};
static const struct db_stmt do_close_report = {
    "do_admin_close_report",
    "SELECT code, body, " API_REPEATED " FROM do_admin_close_report($1, $2, $3, $4, $5)", 5};

const struct api_route api_admin_reports_routes[] = {
    {.method = "GET",
     .path = "/v1/admin/reports",
     .id = "listReports",
     .query = API_QUERY_PAGE,
     API_ADMIN,
     .stmt = &do_reports,
     .begin = api_admin_bind_page,
     .reply = api_json_page_reply},
    {.path = "/v1/admin/reports/{report}/close",
     .id = "closeReport",
     API_ADMIN_ACTION,
     .body = &api_admin_note_spec,
     .stmt = &do_close_report,
     .begin = api_admin_bind_action,
     .reply = api_json_reply},
};
const size_t api_admin_reports_routes_n = ARRAY_LEN(api_admin_reports_routes);
