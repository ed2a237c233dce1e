/* /v1/admin/reports: the queue of players' reports about players, and closing a report. REST loops. */
#include "api/admin.h"
#include "api/json_reply.h"
#include "api/operations.h"
#include "api/rows.h"
#include "base/bug.h"

static const struct db_stmt do_reports = {
    "do_admin_reports", "SELECT code, body, at1, at2, at3 FROM do_admin_reports($1, $2, $3, $4, $5)", 5};
static const struct db_stmt do_close_report = {
    "do_admin_close_report",
    "SELECT code, body, " API_REPEATED " FROM do_admin_close_report($1, $2, $3, $4, $5)", 5};

API_OPERATION(listReports) = {
    .stmt = &do_reports, .writes = true, .begin = api_admin_bind_page, .reply = api_json_page_reply};
API_OPERATION(closeReport) = {
    .stmt = &do_close_report, .writes = true, .begin = api_admin_bind_action, .reply = api_json_reply};
