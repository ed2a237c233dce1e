/* Entity tags in conditional requests. Pure, any thread. */
#ifndef RUMMYD_API_ETAG_H
#define RUMMYD_API_ETAG_H

#include <stdbool.h>

/* Whether an If-None-Match header, a list of tags or `*`, contains this tag (RFC 9110, 13.1.2). Uses weak
 * comparison (8.8.3.2), in which W/"x" and "x" are equal. Parsing stops at the first syntax error, so that
 * the response is then sent in full. list: NULL if there is no header. tag: a strong tag, including its
 * quotes. */
bool api_etag_listed(const char *list, const char *tag);

#endif
