/* Operations that one SQL function implements. The contract names the function, its arguments, and what it
 * returns besides the reply (x-sql); scripts/bundle writes api/sql.def from it. REST loops. */
#ifndef RUMMYD_API_SQL_H
#define RUMMYD_API_SQL_H

#include "api/core/operations.h"

/* `begin` of such an operation. Binds the arguments in `binds`, in order. */
enum api_next api_sql_begin(struct api_request *request);

/* `reply` of an operation whose function returns more than the reply. First it applies these columns, if
 * present: `ended` (sessions, api_session_end_rows), `seats_of` (tables, api_seats_left), and `cancels`
 * (tables, api_tables_cancelled). If the nickname was rejected, the problem names the member;
 * `nickname_changes_at` is the time of the next possible change. */
enum api_next api_sql_reply(struct api_request *request, const PGresult *rows);

#endif
