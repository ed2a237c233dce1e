/* The built pages of web_dir. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_STATIC_H
#define RUMMYD_SERVER_HTTP_STATIC_H

#include "server/http/request.h"

/* Responds with a file of web_dir, or with the page for any path of its application. false: not found. */
bool srv_http_static(struct srv_http_request *request, const char *path);

#endif
