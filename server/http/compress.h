/* The content coding of a response. Compression levels are low because compression blocks the loop. Any
 * thread. */
#ifndef RUMMYD_SERVER_HTTP_COMPRESS_H
#define RUMMYD_SERVER_HTTP_COMPRESS_H

#include <stddef.h>

#include "api/core/coding.h"

/* Compresses n bytes with a coding other than identity. Returns *out_n bytes, which the caller frees. NULL:
 * out of memory. */
void *srv_http_compress(enum api_coding coding, const void *bytes, size_t n, size_t *out_n);

#endif
