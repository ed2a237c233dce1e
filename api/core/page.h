/* Lists in pages. The cursor is the position of the last item shown, signed and bound to the query and its
 * reader (api_query_bound). Most lists are ordered by a numeric key `id`, the newest first; json_reply.h
 * handles those that PostgreSQL writes.
 *
 * If its route accepts `format`, a list is also available as a complete stream with one line of JSON per
 * item (format=ndjson). The same `begin` and `reply` produce it chunk by chunk, each starting where the
 * previous one ended. server/http/stream.c requests chunks as the client reads. REST loops. */
#ifndef RUMMYD_API_PAGE_H
#define RUMMYD_API_PAGE_H

#include "api/core/rows.h"

#define API_PAGE_MAX 100
#define API_PAGE_DEFAULT 20

/* Reads `limit` into page_limit, and `cursor`, if present, into the n numbers of `at`. false: the request has
 * failed. */
bool api_page_read(struct api_request *request, int64_t *at, size_t n);
/* Writes the member `next`: the cursor of this position, or null (at NULL). */
void api_page_next(struct api_request *request, const int64_t *at, size_t n);

/* Binds the reader, the id below which to continue, and the number of rows, which is one more than the page
 * shows to detect a next page. If this is not possible, the request has failed. */
enum api_next api_page_bind(struct api_request *request);
/* Like api_page_bind, without the reader. */
enum api_next api_page_bind_below(struct api_request *request);
/* Replies with the page. The rows have a column `id`. */
enum api_next api_page_reply(struct api_request *request, const PGresult *rows, api_row_write_fn *write);
/* Like api_page_reply, with only the first n rows. */
enum api_next api_page_reply_n(struct api_request *request, const PGresult *rows, int n,
                               api_row_write_fn *write);

#endif
