/* Shared by all endpoints that give a seat: codes, seeds, and the reply that leads to the table. REST
 * loops. */
#ifndef RUMMYD_API_SEATS_H
#define RUMMYD_API_SEATS_H

#include "api/core/rows.h"
#include "db/batch_stmt.h"

#define API_JOIN_CODE_LEN 6 /* characters of the code of a private table */

/* The columns that api_seat_reply reads; ws_url is current even in a stored reply. Some statements also
 * return `join_code`. */
#define API_SEAT_COLUMNS                                                                                     \
    "code, table_id, seat, ticket, " API_ROW_TIME("expires_at",                                              \
                                                  "expires_at") ", encode(commit, 'hex') AS commit, "        \
                                                                "repeated, owner_ws_url(table_id) AS ws_url"

/* Combines requests for seats in rooms into one statement. */
extern const struct db_batch_stmt api_seats_batch_stmt;
/* Binds the code in the path, in upper case. API_DONE: the code is invalid, and the request has failed. */
enum api_next api_seat_bind_code(struct api_request *request);
/* Binds a server seed and its commitment, in case this seat opens a table. The server commits to the seed
 * before any client can send a client seed. */
void api_seat_bind_seed(struct api_request *request);
/* Replies with 201 and the seat, or with the error for the function's code. */
enum api_next api_seat_reply(struct api_request *request, const PGresult *rows);
/* Notifies the nodes of the tables in the array `seats_of`, where seats were freed. */
void api_seats_left(const struct api_request *request, const PGresult *rows);
/* Notifies the nodes that waiting tables were canceled. The column `cancels` is one of them, or NULL. */
void api_tables_cancelled(const struct api_request *request, const PGresult *rows);

#endif
