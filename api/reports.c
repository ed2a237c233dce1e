/* POST /v1/tables/{table}/reports, /v1/clubs/{club}/reports, and /v1/clubs/{club}/chat/{message}/reports:
 * reports about a player at the table, a club, or a message in its chat. REST loops. */
#include "api/operations.h"
#include "api/rows.h"
#include "api/validators.h"
#include "base/bug.h"

#include <string.h>

enum { REPORT_CHARS_MAX = 500 };

static const char *const reasons[] = {"insult", "cheating", "stalling", "nickname", "other", NULL};

static const struct api_spec_member report_members[] = {
    {.name = "seat", .type = API_SPEC_INT, .required = true, .min = 0, .max = 5},
    {.name = "reason", .type = API_SPEC_TEXT, .required = true, .min = 1, .max = 16, .choices = reasons},
    API_LINES_MEMBER("text", false, 0, REPORT_CHARS_MAX)};
static const struct api_spec report_spec = {report_members, ARRAY_LEN(report_members), API_TEXTS_BODY_MAX,
                                            false};

enum { C_REASON, C_TEXT };
#define CLUB_MEMBERS(words)                                                                                  \
    [C_REASON] = {.name = "reason",                                                                          \
                  .type = API_SPEC_TEXT,                                                                     \
                  .required = true,                                                                          \
                  .min = 1,                                                                                  \
                  .max = 16,                                                                                 \
                  .choices = (words)},                                                                       \
    [C_TEXT] = API_LINES_MEMBER("text", false, 0, REPORT_CHARS_MAX)

static const char *const club_reasons[] = {"about", "club_name", "other", NULL};
static const struct api_spec_member club_members[] = {CLUB_MEMBERS(club_reasons)};
static const struct api_spec club_spec = {club_members, ARRAY_LEN(club_members), API_TEXTS_BODY_MAX, false};

static const char *const line_reasons[] = {"insult", "other", NULL};
static const struct api_spec_member line_members[] = {CLUB_MEMBERS(line_reasons)};
static const struct api_spec line_spec = {line_members, ARRAY_LEN(line_members), API_TEXTS_BODY_MAX, false};

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
    db_args_int(&request->args, request->body[0].number);
    db_args_text(&request->args, request->body[1].text);
    db_args_text(&request->args, request->body[2].set ? request->body[2].text : "");
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
    .body = &report_spec, .stmt = &do_report, .writes = true, .begin = bind_report, .reply = reply_report};
API_OPERATION(reportClub) = {.body = &club_spec,
                             .stmt = &do_report_club,
                             .writes = true,
                             .begin = bind_report_club,
                             .reply = reply_report};
API_OPERATION(reportClubMessage) = {.body = &line_spec,
                                    .stmt = &do_report_line,
                                    .writes = true,
                                    .begin = bind_report_line,
                                    .reply = reply_report};
