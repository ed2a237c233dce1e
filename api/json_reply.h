/* Answers PostgreSQL writes itself. What is read of the game around the games (leagues, leaderboards, jobs)
 * is trees of many rows: an SQL function builds them as JSON in a column `body`, the endpoint passes it on.
 * REST loops. */
#ifndef RUMMYD_API_JSON_REPLY_H
#define RUMMYD_API_JSON_REPLY_H

#include "api/request.h"

/* Answers 200 with the one row's `body`, or with the problem its `code` names. No row: the reader is gone. */
enum api_next api_json_reply(struct api_request *request, const PGresult *rows);
/* The same with another status than 200. */
enum api_next api_json_reply_as(struct api_request *request, const PGresult *rows, int status);

/* The same with 201, for what was created below this path; `body` has its `id`. */
enum api_next api_json_reply_created(struct api_request *request, const PGresult *rows, const char *path);

/* A page of a list ordered by three numbers. api_json_page_bind binds, behind what is bound already, where
 * the page before ended (three numbers, NULL on the first page) and the number of rows: one more than the
 * page shows. */
enum api_next api_json_page_bind(struct api_request *request);
/* The first row is the head: a `code`, and in `body` the members (an object) the list says of itself. The
 * rows behind it are one item each: `body`, and its place in the order as at1, at2, at3. */
enum api_next api_json_page_reply(struct api_request *request, const PGresult *rows);

/* A page of a list in the order of its ids (api_page_bind): each row is one item, its `body`. */
enum api_next api_json_list_reply(struct api_request *request, const PGresult *rows);

#endif
