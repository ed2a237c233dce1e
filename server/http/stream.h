/* Complete lists, streamed chunk by chunk (api/core/page.h). Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_STREAM_H
#define RUMMYD_SERVER_HTTP_STREAM_H

#include "server/http/request.h"

/* Reserves a slot for a stream. false: all are taken. */
bool srv_http_stream_place(struct srv_http_request *request);
/* Makes `response` from the first chunk in `api`. false: out of memory. */
bool srv_http_stream_begin(struct srv_http_request *request);
/* Call when the request ends. Releases its slot, if any. */
void srv_http_stream_end(struct srv_http_request *request);

#endif
