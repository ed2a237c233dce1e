/* What the endpoints of operators share: the key, and what an action is known by. REST loops. */
#ifndef RUMMYD_API_ADMIN_H
#define RUMMYD_API_ADMIN_H

#include "api/route.h"

/* Of a route. Everything writes: each call leaves a line in the log. */
#define ADMIN .role = API_KEY, .rate = API_RATE_WRITE, .writes = true

/* The API key's hash. */
void admin_bind_key(struct api_call *call);
/* The same, the Idempotency-Key and the hash of the request: what admin_begin (SQL) wants of an action. */
void admin_bind_action(struct api_call *call);
/* The API key's hash and the first path parameter as an id. */
enum api_next admin_bind_id(struct api_call *call);

#endif
