/* Converts columns to JSON; see rows.h. */
#include "api/core/rows.h"

#include "base/bug.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

void api_row_text(struct buf *out, const PGresult *rows, int row, const char *column)
{
    json_kv_text(out, column, api_row_get(rows, row, column));
}

void api_row_int(struct buf *out, const PGresult *rows, int row, const char *column)
{
    const char *text = api_row_get(rows, row, column);
    ASSERT(!text || text[strspn(text, "-0123456789")] == '\0'); /* sent unchanged */
    json_key(out, column);
    if (text)
        json_raw(out, text);
    else
        json_nil(out);
}

void api_row_bool(struct buf *out, const PGresult *rows, int row, const char *column)
{
    json_kv_bool(out, column, db_bool(rows, row, db_col(rows, column)));
}

void api_row_id(struct buf *out, const PGresult *rows, int row, const char *column)
{
    api_row_text(out, rows, row, column);
}

void api_row_time(struct buf *out, const PGresult *rows, int row, const char *column)
{
    char text[25];
    if (!api_row_get(rows, row, column)) {
        json_key(out, column);
        json_nil(out);
        return;
    }
    clock_rfc3339(text, api_row_get_int(rows, row, column));
    json_kv_text(out, column, text);
}

void api_row_list(struct buf *out, const char *name, const PGresult *rows, int from, int to,
                  api_row_write_fn *write)
{
    ASSERT(from >= 0 && from <= to && to <= PQntuples(rows));
    json_key(out, name);
    json_open(out, '[');
    for (int i = from; i < to; i++)
        write(out, rows, i);
    json_close(out, ']');
}

enum api_next api_row_reply_text(struct api_request *request, const PGresult *rows, const char *column)
{
    int col = db_col(rows, column);
    ASSERT(PQntuples(rows) > 0);
    request->status = 200;
    request->content_type = "text/plain; charset=utf-8";
    request->sent = PQgetvalue(rows, 0, col);
    request->sent_len = (size_t)PQgetlength(rows, 0, col);
    return API_DONE;
}

enum api_next api_row_reply_code(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    return strcmp(code, "ok") == 0 ? api_reply_empty(request) : api_refuse_sql(request, code);
}

int64_t api_row_next_id(const char **at)
{
    char *end;
    *at = *at ? strpbrk(*at, "0123456789") : NULL;
    if (!*at)
        return 0;
    int64_t id = strtoll(*at, &end, 10);
    *at = end;
    return id;
}
