/* GET /v1/tables/{table}/chat: the chat of a table, for players who have sat there. Omits messages of
 * players whom the reader has muted or blocked. REST loops. */
#include "api/core/operations.h"
#include "api/core/page.h"
#include "base/bug.h"

/* An empty chat has one row without a message, and an unknown table has no row. */
static const struct db_stmt chat_of_table = {
    "chat_of_table",
    "SELECT t.seated, l.id, l.seat, l.kind, l.text, l.at FROM "
    "(SELECT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player_id = $1) AS seated "
    "FROM tables t WHERE t.id = $4) t LEFT JOIN LATERAL "
    "(SELECT c.id, c.seat, c.kind, c.text, " API_ROW_TIME(
        "c.at", "at") " FROM table_chat c WHERE t.seated AND c.table_id = $4 AND c.id < $2 AND "
                      "NOT EXISTS (SELECT 1 FROM player_blocks b WHERE b.player_id = $1 AND b.other_id = "
                      "c.player_id) ORDER BY c.id DESC LIMIT $3) l ON true ORDER BY l.id DESC",
    4};

static enum api_next bind_chat(struct api_request *request)
{
    (void)api_page_bind(request);
    return api_bind_id(request) == API_DONE || request->code != API_OK ? API_DONE : API_QUERY;
}

static void write_line(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    api_row_id(out, rows, i, "id");
    api_row_int(out, rows, i, "seat");
    api_row_text(out, rows, i, "kind");
    api_row_text(out, rows, i, "text");
    api_row_time(out, rows, i, "at");
    json_close(out, '}');
}

static enum api_next reply_chat(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_NO_SUCH_TABLE);
    if (!db_bool(rows, 0, db_col(rows, "seated")))
        return api_refuse(request, API_NOT_SEATED);
    return api_page_reply_n(request, rows, api_row_get(rows, 0, "id") ? PQntuples(rows) : 0, write_line);
}

API_OPERATION(listChat) = {.stmt = &chat_of_table, .begin = bind_chat, .reply = reply_chat};
