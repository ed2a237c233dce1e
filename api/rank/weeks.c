/* GET /v1/me/weeks/{week}: a summary of the player's week, compared with their friends. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "base/bug.h"

#include <ctype.h>
#include <string.h>

static const struct db_stmt q_week = {"q_week", "SELECT code, body FROM q_week($1, $2)", 2};

/* "2026-W48"; q_week checks whether that week exists. */
static bool is_week(const char *text)
{
    static const char form[] = "dddd-Wdd";
    ASSERT(text != NULL);
    if (strlen(text) != sizeof form - 1)
        return false;
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    return true;
}

static enum api_next bind_week(struct api_request *request)
{
    if (!is_week(request->params[0]))
        return api_refuse(request, API_NO_SUCH_WEEK);
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, request->params[0]);
    return API_QUERY;
}

API_OPERATION(getWeek) = {.stmt = &q_week, .begin = bind_week, .reply = api_json_reply};
