/* The content coding of one response. Levels are low because the shared loop pays the cost. Any thread. */
#ifndef RUMMYD_SERVER_HTTP_COMPRESS_H
#define RUMMYD_SERVER_HTTP_COMPRESS_H

#include <stddef.h>

#include "api/core/coding.h"

/* Compresses n bytes with that coding, which is not identity; returns memory to be freed, *out_n bytes. NULL:
 * out of memory. */
void *srv_http_compress(enum api_coding coding, const void *bytes, size_t n, size_t *out_n);

#endif
