/* Headers of every response. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_REPLY_HEADERS_H
#define RUMMYD_SERVER_HTTP_REPLY_HEADERS_H

#include "server/http/request.h"

/* Adds them. */
void srv_http_reply_headers(struct srv_http_request *request, struct MHD_Response *response);

#endif
