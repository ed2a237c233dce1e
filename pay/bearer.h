/* Caches access tokens of providers that issue them for a limited time. Tokens are reused until shortly
 * before they expire. Any thread. */
#ifndef RUMMYD_PAY_BEARER_H
#define RUMMYD_PAY_BEARER_H

#include "net/fetch.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PAY_BEARER_MAX = NET_BEARER_MAX,
    PAY_BEARER_SPARE_S = 60, /* a token is not used in the last seconds of its life */
};

enum pay_bearer_of { PAY_BEARER_PAYPAL, PAY_BEARER_GOOGLE, PAY_BEARERS_N };

struct pay_bearers;

struct pay_bearers *pay_bearers_new(void); /* NULL: out of memory */
void pay_bearers_free(struct pay_bearers *bearers);

/* Reads the cached token; false: there is none, or it expires soon. */
bool pay_bearer_get(struct pay_bearers *bearers, enum pay_bearer_of of, char out[PAY_BEARER_MAX]);
/* Caches a token that is valid for this many seconds from now. */
void pay_bearer_keep(struct pay_bearers *bearers, enum pay_bearer_of of, const char *token, int64_t seconds);
/* Drops this token, which was rejected; a newer one remains. */
void pay_bearer_drop(struct pay_bearers *bearers, enum pay_bearer_of of, const char *token);

#endif
