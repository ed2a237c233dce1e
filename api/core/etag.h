/* Entity tags in conditional requests. Pure, any thread. */
#ifndef RUMMYD_API_ETAG_H
#define RUMMYD_API_ETAG_H

#include <stdbool.h>

/* Whether an If-None-Match contains this tag (RFC 9110, 13.1.2): a list of tags or `*`, with weak comparison
 * (8.8.3.2), in which W/"x" and "x" are equal. Parsing stops at the first syntax error, so the response is
 * then sent in full. list: NULL if there is none. tag: a strong one including its quotes. */
bool api_etag_listed(const char *list, const char *tag);

#endif
