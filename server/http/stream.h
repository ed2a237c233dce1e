/* Complete lists, streamed chunk by chunk (api/core/page.h). Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_STREAM_H
#define RUMMYD_SERVER_HTTP_STREAM_H

#include "server/http/request.h"

/* Reserves a slot for it. false: all are taken. */
bool srv_http_stream_place(struct srv_http_request *request);
/* Makes `response` of the first chunk, which `api` holds. false: out of memory. */
bool srv_http_stream_begin(struct srv_http_request *request);
/* The request has ended: releases its slot, if any. */
void srv_http_stream_end(struct srv_http_request *request);

#endif
