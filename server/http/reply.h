/* Responses. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_REPLY_H
#define RUMMYD_SERVER_HTTP_REPLY_H

#include "server/http/request.h"

/* Makes `response` from the contents of `api`. If memory runs out, the connection closes. */
void srv_http_reply_make(struct srv_http_request *request);
/* Makes a problem document with the problem data in `api`, and ignores any reply in it. */
void srv_http_reply_problem(struct srv_http_request *request, enum api_code code);
/* Like srv_http_reply_problem, with a list of all faults of the request; NULL: no list. */
void srv_http_reply_faults(struct srv_http_request *request, enum api_code code,
                           const struct api_faults *faults);
/* Makes the problem of a request that the guard rejected, and ends the connection. */
void srv_http_reply_refusal(struct srv_http_request *request, const struct srv_refusal *refusal);
/* Makes a problem with one fault, in a header. */
void srv_http_reply_header(struct srv_http_request *request, enum api_code code, const char *name,
                           enum api_fault_code fault);
/* Answers a CORS preflight. */
void srv_http_reply_preflight(struct srv_http_request *request);

#endif
