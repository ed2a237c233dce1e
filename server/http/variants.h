/* The variants and their options for REST. Implements ports of api/. Any thread. */
#ifndef RUMMYD_SERVER_HTTP_VARIANTS_H
#define RUMMYD_SERVER_HTTP_VARIANTS_H

#include "api/api.h"
#include "api/core/faults.h"

/* Implements the port table_params. */
void srv_table_params(const char *variant, int seats, const struct api_option *options, size_t n,
                      struct buf *params, struct api_faults *faults);
/* Implements the port variant_known. */
bool srv_variant_known(const char *variant);
void srv_variants_write(struct buf *out);

#endif
