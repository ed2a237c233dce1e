/* /v1/notifications: a player's notifications, and up to where they have been read. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/page.h"
#include "base/bug.h"

#include <string.h>

static const struct db_stmt q_notices = {"q_notifications",
                                         "SELECT id, body FROM q_notifications($1, $2, $3)", 3};

static enum api_next bind_notices(struct api_request *request)
{
    return api_page_bind(request);
}

static void write_notice(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, api_row_get(rows, i, "body"));
}

static enum api_next reply_notices(struct api_request *request, const PGresult *rows)
{
    return api_page_reply(request, rows, write_notice);
}

API_OPERATION(listNotifications) = {.stmt = &q_notices, .begin = bind_notices, .reply = reply_notices};
