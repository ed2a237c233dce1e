/* Responses written by PostgreSQL. Data around the games (leagues, leaderboards, jobs) is a tree of many
 * rows, so an SQL function builds it as JSON in a column `body`, which the endpoint sends. REST loops. */
#ifndef RUMMYD_API_JSON_REPLY_H
#define RUMMYD_API_JSON_REPLY_H

#include "api/core/request.h"

/* Responds with the only row's `body` and the status of the route, or with the problem named in its `code`.
 * If the route has a location, `body` must have an `id`. No row: the player no longer exists. */
enum api_next api_json_reply(struct api_request *request, const PGresult *rows);

/* A page of a list ordered by three numbers. api_json_page_bind appends two arguments: the end of the
 * previous page (three numbers, NULL for the first page) and the number of rows, one more than the page
 * shows. */
enum api_next api_json_page_bind(struct api_request *request);
/* The first row is the header: a `code`, and in `body` the list's own members (an object). Each following
 * row is one item, in `body`, with its position in at1, at2, and at3. */
enum api_next api_json_page_reply(struct api_request *request, const PGresult *rows);

/* A page of a list ordered by id (api_page_bind): each row is one item, in `body`. */
enum api_next api_json_list_reply(struct api_request *request, const PGresult *rows);

#endif
