/* Sessions, shared by the endpoints that begin or end them. REST loops. */
#ifndef RUMMYD_API_SESSION_REPLY_H
#define RUMMYD_API_SESSION_REPLY_H

#include "api/core/request.h"

/* Binds four arguments about the client for session_begin (db/functions/sessions): the hash of a new
 * refresh token, which the request keeps for the response, and the client's app, system, and address. If a
 * second factor follows, the token does not begin a session, and the response returns it as the
 * challenge. */
void api_session_bind(struct api_request *request);
/* Ends the request with the session of a session_answer (`Session` in openapi.yaml) and this status, or
 * with the problem named by its code. Rejects the sessions that it ended from now on. */
enum api_next api_session_reply(struct api_request *request, const PGresult *rows, int status);
/* Rejects the access tokens of the sessions in the row's `ended` (bigint[] or NULL) from now on. */
void api_session_end_rows(const struct api_request *request, const PGresult *rows);
/* Ends the request with 204, or with the problem of the row's `code`. Rejects the sessions that it ended
 * from now on. */
enum api_next api_session_reply_ended(struct api_request *request, const PGresult *rows);

#endif
