/* Columns to JSON; see rows.h. */
#include "api/rows.h"

#include "base/clock.h"

void row_text(struct buf *out, const PGresult *rows, int row, const char *column)
{
    json_kv_text(out, column, row_get(rows, row, column));
}

void row_int(struct buf *out, const PGresult *rows, int row, const char *column)
{
    const char *text = row_get(rows, row, column);
    json_key(out, column);
    if (text)
        json_raw(out, text);
    else
        json_nil(out);
}

void row_bool(struct buf *out, const PGresult *rows, int row, const char *column)
{
    json_kv_bool(out, column, db_bool(rows, row, db_col(rows, column)));
}

void row_id(struct buf *out, const PGresult *rows, int row, const char *column)
{
    row_text(out, rows, row, column);
}

void row_time(struct buf *out, const PGresult *rows, int row, const char *column)
{
    char text[25];
    clock_rfc3339(text, row_get_int(rows, row, column));
    json_kv_text(out, column, text);
}

void row_list(struct buf *out, const char *name, const PGresult *rows, int from, int to, row_write_fn *write)
{
    json_key(out, name);
    json_open(out, '[');
    for (int i = from; i < to; i++)
        write(out, rows, i);
    json_close(out, ']');
}
