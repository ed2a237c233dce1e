/* Writes columns of a result as members of a JSON object. REST loops. */
#ifndef RUMMYD_API_ROWS_H
#define RUMMYD_API_ROWS_H

#include "api/core/request.h"
#include "base/buf.h"
#include "db/pg.h"

/* The member has the column's name. NULL becomes null. */
void api_row_text(struct buf *out, const PGresult *rows, int row, const char *column);
void api_row_int(struct buf *out, const PGresult *rows, int row, const char *column);
void api_row_bool(struct buf *out, const PGresult *rows, int row, const char *column);
/* Writes a bigint as an opaque id, which is a string. */
void api_row_id(struct buf *out, const PGresult *rows, int row, const char *column);
/* The column holds milliseconds since 1970, or NULL. */
void api_row_time(struct buf *out, const PGresult *rows, int row, const char *column);

/* Writes row i as a value. */
typedef void api_row_write_fn(struct buf *out, const PGresult *rows, int i);
/* Writes a member with the list of rows from..to-1. */
void api_row_list(struct buf *out, const char *name, const PGresult *rows, int from, int to,
                  api_row_write_fn *write);

/* Ends the request with 200 and the unchanged text in that column of the first row. */
enum api_next api_row_reply_text(struct api_request *request, const PGresult *rows, const char *column);
/* Ends the request with 204, or with the problem named by `code` in the first row. */
enum api_next api_row_reply_code(struct api_request *request, const PGresult *rows);

/* SQL column for whether a function repeated its first answer to the Idempotency-Key, as recorded by
 * idempotent_answer, admin_begin, and do_job. Each statement of a route that requires a key has it. */
#define API_REPEATED "current_setting('rummyd.repeated', true) = 'true' AS repeated"

/* SQL for a time in milliseconds, as api_row_time expects it. */
#define API_ROW_MS(expr) "(extract(epoch FROM " expr ") * 1000)::bigint"
#define API_ROW_TIME(expr, name) API_ROW_MS(expr) " AS " name

static inline const char *api_row_get(const PGresult *rows, int row, const char *column)
{
    return db_text(rows, row, db_col(rows, column));
}
static inline int64_t api_row_get_int(const PGresult *rows, int row, const char *column)
{
    return db_i64(rows, row, db_col(rows, column));
}
/* Reads the next id of a bigint array in PostgreSQL's format ("{7,12}"); 0: no more. Begin with the result
 * of api_row_get. */
int64_t api_row_next_id(const char **at);

#endif
