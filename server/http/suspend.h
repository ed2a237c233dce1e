/* Suspends requests that wait for the database or a worker, and resumes them. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_SUSPEND_H
#define RUMMYD_SERVER_HTTP_SUSPEND_H

#include "server/http/request.h"

/* Suspends the request unless it is already suspended. */
void srv_http_suspend(struct srv_http_request *request);
/* Resumes the request in this state if it is suspended. */
void srv_http_resume(struct srv_http_request *request, enum srv_http_state state);
/* Prepares the arguments and the answer for a step of the endpoint. */
void srv_http_prepare(struct srv_http_request *request);

#endif
