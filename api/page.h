/* Lists, newest first by a numeric key `id`, a page at a time: the cursor is the last key shown, signed
 * and bound to its list and its reader. REST loops. */
#ifndef RUMMYD_API_PAGE_H
#define RUMMYD_API_PAGE_H

#include "api/rows.h"

#define API_PAGE_MAX 100
#define API_PAGE_DEFAULT 20

/* Binds the reader, the key to go on below, and the number of rows: one more than the page shows, for
 * whether it comes says if there is a next one. Otherwise the request has failed. */
enum api_next api_page_bind(struct api_request *request, const char *list);
/* Answers with the page. The rows have a column `id`. */
enum api_next api_page_reply(struct api_request *request, const char *list, const PGresult *rows,
                             api_row_write_fn *write);

#endif
