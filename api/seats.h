/* What every way to a seat has in common: a key, a ticket, the answer that leads to the table. REST loops. */
#ifndef RUMMYD_API_SEATS_H
#define RUMMYD_API_SEATS_H

#include "api/rows.h"
#include "db/together.h"

#define API_JOIN_CODE_LEN 6 /* characters of the code of a private table */

/* The columns api_seat_reply reads, ws_url as it is now, whatever a kept answer says; `join_code` too, where
 * a table has one. */
#define API_SEAT_COLUMNS                                                                                     \
    "code, table_id, seat, ticket, " API_ROW_TIME("expires_at",                                              \
                                                  "expires_at") ", encode(commit, 'hex') AS commit, "        \
                                                                "repeated, owner_ws_url(table_id) AS ws_url"

/* Seats in rooms that are asked for at once. */
extern const struct db_together api_seats_together;
/* Binds the code in the path, in capitals. API_DONE: it is none, which is answered. */
enum api_next api_seat_bind_code(struct api_request *request);
/* Binds a server seed and its commitment, in case this seat opens a table: committed to before any client can
 * send a seed of its own. */
void api_seat_bind_seed(struct api_request *request);
/* 201 with the seat, or the refusal the function's code stands for. */
enum api_next api_seat_reply(struct api_request *request, const PGresult *rows);
/* Notifies the nodes of tables where seats were given back: the array `seats_of`. */
void api_seats_left(const struct api_request *request, const PGresult *rows);
/* Notifies the nodes that tables which wait were called off: `cancels`, one of them, or NULL. */
void api_tables_cancelled(const struct api_request *request, const PGresult *rows);

#endif
