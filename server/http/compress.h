/* The coding of one answer. Levels are low: what it costs is paid on the loop that serves everybody. Any
 * thread. */
#ifndef RUMMYD_SERVER_HTTP_COMPRESS_H
#define RUMMYD_SERVER_HTTP_COMPRESS_H

#include <stddef.h>

#include "api/coding.h"

/* The n bytes in that coding, which is not identity: memory to be freed, *out_n bytes. NULL: memory is
 * short. */
void *srv_http_compress(enum api_coding coding, const void *bytes, size_t n, size_t *out_n);

#endif
