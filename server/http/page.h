/* Documents of the page whose head the server fills in. Any thread. */
#ifndef RUMMYD_SERVER_HTTP_PAGE_H
#define RUMMYD_SERVER_HTTP_PAGE_H

#include "server/http/request.h"

/* The route for a path of the page, for robots.txt, or for sitemap.xml; NULL for other paths. */
const struct api_route *srv_http_page(const struct srv_http *http, const char *path);
bool srv_http_is_page(const struct api_route *route);

#endif
