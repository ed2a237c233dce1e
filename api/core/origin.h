/* The address from which a new account is created, as the database stores it. REST loops. */
#ifndef RUMMYD_API_ORIGIN_H
#define RUMMYD_API_ORIGIN_H

#include "api/core/request.h"

/* Binds the keyed hash of the client's address (for IPv6, of its network). Binds null for private
 * addresses, because all clients in a local network, or behind a proxy that reports no client addresses,
 * would share one. */
void api_origin_bind(struct api_request *request);

#endif
