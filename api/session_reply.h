/* Sessions as the endpoints that let somebody in share them. REST loops. */
#ifndef RUMMYD_API_SESSION_REPLY_H
#define RUMMYD_API_SESSION_REPLY_H

#include "api/request.h"

/* Binds what a new session is written with: the hash of a new refresh token, which is kept in the request for
 * the answer, and the id of its family. */
void api_session_bind(struct api_request *request);
/* Ends the request with the session of a session_answer: `Session` of openapi.yaml with this status, or the
 * problem its code names. */
enum api_next api_session_reply(struct api_request *request, const PGresult *rows, int status);

#endif
