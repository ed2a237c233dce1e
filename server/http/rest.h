/* Runs an endpoint. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_REST_H
#define RUMMYD_SERVER_HTTP_REST_H

#include "server/http/request.h"

/* Checks before the body: token, limits, Idempotency-Key. false: a problem was set. */
bool srv_rest_admit(struct srv_http_request *request);
/* Responds that the limit in request->limit is exceeded. */
void srv_rest_rate_limited(struct srv_http_request *request);
/* Call when the body is complete. Runs the endpoint until it answers or waits. */
void srv_rest_begin(struct srv_http_request *request);
/* Call when a worker has finished a step of the request. */
void srv_rest_returned(struct srv_http_request *request);
/* Takes the result of a waiting request's statement; arg: the request. */
void srv_rest_rows(void *arg, const struct db_reply *reply);
/* Sends a waiting request's read to the primary because the standby did not answer it. */
void srv_rest_read_primary(struct srv_http_request *request);
/* Implements the port `header`. */
const char *srv_rest_header(const struct api_request *api, const char *name);

#endif
