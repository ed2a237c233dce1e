/* Shared by all ways to a seat: a key, a ticket, the reply that leads to the table. REST loops. */
#ifndef RUMMYD_API_SEATS_H
#define RUMMYD_API_SEATS_H

#include "api/core/rows.h"
#include "db/batch_stmt.h"

#define API_JOIN_CODE_LEN 6 /* characters of the code of a private table */

/* The columns that api_seat_reply reads; ws_url is the current one, even for a stored reply; also `join_code`
 * where a table has one. */
#define API_SEAT_COLUMNS                                                                                     \
    "code, table_id, seat, ticket, " API_ROW_TIME("expires_at",                                              \
                                                  "expires_at") ", encode(commit, 'hex') AS commit, "        \
                                                                "repeated, owner_ws_url(table_id) AS ws_url"

/* Combines requests for seats in rooms into one statement. */
extern const struct db_batch_stmt api_seats_batch_stmt;
/* Binds the code in the path, in upper case. API_DONE: it is invalid, and the request was answered. */
enum api_next api_seat_bind_code(struct api_request *request);
/* Binds a server seed and its commitment, in case this seat opens a table: it is committed to before any
 * client can send its own seed. */
void api_seat_bind_seed(struct api_request *request);
/* 201 with the seat, or the error for the function's code. */
enum api_next api_seat_reply(struct api_request *request, const PGresult *rows);
/* Notifies the nodes of tables where seats were given back: the array `seats_of`. */
void api_seats_left(const struct api_request *request, const PGresult *rows);
/* Notifies the nodes that waiting tables were canceled: `cancels`, one of them, or NULL. */
void api_tables_cancelled(const struct api_request *request, const PGresult *rows);

#endif
