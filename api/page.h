/* Lists, a page at a time. The cursor is the place of the last item shown, signed and bound to what was asked
 * for and to its reader (api_query_bound). Most lists are in the order of a numeric key `id`, the newest
 * first; json_reply.h has those that PostgreSQL writes.
 *
 * A list whose route takes `format` is to be had whole as well, a line of JSON an item (format=ndjson). The
 * same `begin` and `reply` make it chunk by chunk, from where the chunk before ended; server/http/stream.c
 * asks for them as the client reads. REST loops. */
#ifndef RUMMYD_API_PAGE_H
#define RUMMYD_API_PAGE_H

#include "api/rows.h"

#define API_PAGE_MAX 100
#define API_PAGE_DEFAULT 20

/* Reads `limit` into page_limit, and `cursor`, when there is one, into the n numbers of `at`. false: the
 * request has failed. */
bool api_page_read(struct api_request *request, int64_t *at, size_t n);
/* Writes the member `next`: the cursor of this place, or null (at NULL). */
void api_page_next(struct api_request *request, const int64_t *at, size_t n);

/* Binds the reader, the key to go on below, and the number of rows: one more than the page shows, for
 * whether it comes says if there is a next one. Otherwise the request has failed. */
enum api_next api_page_bind(struct api_request *request);
/* Answers with the page. The rows have a column `id`. */
enum api_next api_page_reply(struct api_request *request, const PGresult *rows, api_row_write_fn *write);
/* The same with the first n rows only. */
enum api_next api_page_reply_n(struct api_request *request, const PGresult *rows, int n,
                               api_row_write_fn *write);

#endif
