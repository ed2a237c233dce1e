/* Responses. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_REPLY_H
#define RUMMYD_SERVER_HTTP_REPLY_H

#include "server/http/request.h"

/* Makes `response` from the contents of `api`. If memory is short, the connection closes. */
void srv_http_reply_make(struct srv_http_request *request);
/* A problem with the data in `api`, whatever else `api` holds so far. */
void srv_http_reply_problem(struct srv_http_request *request, enum api_code code);
/* The same with a list of all faults of the request; NULL: no list. */
void srv_http_reply_faults(struct srv_http_request *request, enum api_code code,
                           const struct api_faults *faults);
/* For a request rejected by the guard; its connection ends. */
void srv_http_reply_refusal(struct srv_http_request *request, const struct srv_refusal *refusal);
/* The same for one header. */
void srv_http_reply_header(struct srv_http_request *request, enum api_code code, const char *name,
                           enum api_fault_code fault);
/* The answer to a CORS preflight. */
void srv_http_reply_preflight(struct srv_http_request *request);

#endif
