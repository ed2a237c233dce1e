/* Sessions as the endpoints that let somebody in, or send them out, share them. REST loops. */
#ifndef RUMMYD_API_SESSION_REPLY_H
#define RUMMYD_API_SESSION_REPLY_H

#include "api/request.h"

/* Binds what session_begin (db/functions/sessions) takes of a client, four arguments: the hash of a new
 * refresh token, which is kept in the request for the answer; its app, its system, its address. Where a
 * second factor is to follow, the token begins no session, and the answer gives it as the challenge. */
void api_session_bind(struct api_request *request);
/* Ends the request with the session of a session_answer: `Session` of openapi.yaml with this status, or the
 * problem its code names. What ended by it, ends here. */
enum api_next api_session_reply(struct api_request *request, const PGresult *rows, int status);
/* The access tokens of the sessions in the row's `ended` (bigint[] or NULL) are good for nothing from now on.
 */
void api_session_end_rows(const struct api_request *request, const PGresult *rows);
/* Ends the request with 204, or the problem of the row's `code`. What ended by it, ends here. */
enum api_next api_session_reply_ended(struct api_request *request, const PGresult *rows);

#endif
