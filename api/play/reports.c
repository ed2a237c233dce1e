/* POST /v1/tables/{table}/reports, /v1/clubs/{club}/reports, and /v1/clubs/{club}/chat/{message}/reports:
 * reports about a player at the table, a club, or a message in its chat. REST loops. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"

#include <string.h>

/* Reports of both kinds. */
enum { C_REASON = CLUB_REPORT_REQUEST_REASON, C_TEXT = CLUB_REPORT_REQUEST_TEXT };
_Static_assert((int)C_REASON == (int)CLUB_MESSAGE_REPORT_REQUEST_REASON &&
                   (int)C_TEXT == (int)CLUB_MESSAGE_REPORT_REQUEST_TEXT,
               "the same places");

static const struct db_stmt do_report_line = {
    "do_report_club_line", "SELECT code, id FROM do_report_club_line($1, $2, $3, $4, $5)", 5};
static const struct db_stmt do_report_club = {"do_report_club",
                                              "SELECT code, id FROM do_report_club($1, $2, $3, $4)", 4};
static const struct db_stmt do_report = {"do_report", "SELECT code, id FROM do_report($1, $2, $3, $4, $5)",
                                         5};

static enum api_next bind_report(struct api_request *request)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    db_args_int(&request->args, request->body[REPORT_PLAYER_SEAT].number);
    db_args_text(&request->args, request->body[REPORT_PLAYER_REASON].text);
    db_args_text(&request->args,
                 request->body[REPORT_PLAYER_TEXT].set ? request->body[REPORT_PLAYER_TEXT].text : "");
    return API_QUERY;
}

static enum api_next bind_why(struct api_request *request)
{
    db_args_text(&request->args, request->body[C_REASON].text);
    db_args_text(&request->args, request->body[C_TEXT].set ? request->body[C_TEXT].text : "");
    return API_QUERY;
}

static enum api_next bind_report_club(struct api_request *request)
{
    return api_bind_player_and_id(request) == API_DONE ? API_DONE : bind_why(request);
}

static enum api_next bind_report_line(struct api_request *request)
{
    int64_t line;
    if (api_bind_player_and_id(request) == API_DONE || !api_param_id(request, 1, &line))
        return API_DONE;
    db_args_int(&request->args, line);
    return bind_why(request);
}

static enum api_next reply_report(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    struct buf *out = api_reply_open(request, 201);
    api_row_id(out, rows, 0, "id");
    json_close(out, '}');
    return API_DONE;
}

API_OPERATION(reportPlayer) = {
    .stmt = &do_report, .writes = true, .begin = bind_report, .reply = reply_report};
API_OPERATION(reportClub) = {
    .stmt = &do_report_club, .writes = true, .begin = bind_report_club, .reply = reply_report};
API_OPERATION(reportClubMessage) = {
    .stmt = &do_report_line, .writes = true, .begin = bind_report_line, .reply = reply_report};
