/* The variants and their options for REST: behind the ports of api/. Any thread. */
#ifndef RUMMYD_SERVER_HTTP_VARIANTS_H
#define RUMMYD_SERVER_HTTP_VARIANTS_H

#include "api/api.h"

enum api_code srv_table_params(const char *variant, int seats, const struct api_option *options, size_t n,
                               struct buf *params, struct buf *detail);
void srv_variants_write(struct buf *out);

#endif
