/* Rate limits: token buckets per account and per address, in one bounded table of this process. Shared by all
 * REST loops and protected by a short lock. */
#ifndef RUMMYD_API_RATE_LIMITS_H
#define RUMMYD_API_RATE_LIMITS_H

#include "api/core/route.h"

#include <stdbool.h>
#include <stdint.h>

struct api_rate_limits;

struct api_rate_limits *api_rate_limits_new(void); /* NULL: out of memory */
void api_rate_limits_free(struct api_rate_limits *limits);

/* State of the tightest bucket of a request. */
struct api_rate_state {
    const char *name; /* "account", "address" … as shown to clients; NULL: no limit applies */
    int64_t quota, window_s;
    int64_t remaining;
    int64_t full_s; /* time until the bucket is full again */
    int64_t wait_s; /* time until the next request is accepted; 0 if this one was accepted */
};

/* Takes a token from each bucket of the request, or from none. false: a bucket was empty; *state names it.
 * Addresses are grouped (addr_bucket in base/addr.h). */
bool api_rate_limits_take(struct api_rate_limits *limits, enum api_rate rate, int64_t player_id,
                          const char *address, int64_t now_ms, struct api_rate_state *state);

#endif
