/* The address at which a new account is made, as the database keeps it. REST loops. */
#ifndef RUMMYD_API_ORIGIN_H
#define RUMMYD_API_ORIGIN_H

#include "api/request.h"

/* Binds the keyed hash of the caller's address (for IPv6, of its network). Binds null for private addresses,
 * which all callers in a local network or behind a proxy that names no clients would share. */
void api_origin_bind(struct api_request *request);

#endif
