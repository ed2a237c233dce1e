/* Entity tags as clients send them back. Pure, any thread. */
#ifndef RUMMYD_API_ETAG_H
#define RUMMYD_API_ETAG_H

#include <stdbool.h>

/* Whether an If-None-Match names this tag (RFC 9110, 13.1.2): a list of tags or `*`, by the weak comparison
 * (8.8.3.2), in which W/"x" and "x" are equal. What cannot be read as a list names nothing from there on, so
 * the answer is sent in full. list: NULL when there is none. tag: a strong one with its quotes. */
bool api_etag_listed(const char *list, const char *tag);

#endif
