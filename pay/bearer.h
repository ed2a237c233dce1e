/* Access tokens of providers that give them for a while: kept until near their end, so that one is asked for
 * seldom. Any thread. */
#ifndef RUMMYD_PAY_BEARER_H
#define RUMMYD_PAY_BEARER_H

#include "net/fetch.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PAY_BEARER_MAX = NET_BEARER_MAX,
    PAY_BEARER_SPARE_S = 60, /* so long before its end a token is not used any more */
};

/* Which token. */
enum pay_bearer_of { PAY_BEARER_PAYPAL, PAY_BEARER_GOOGLE, PAY_BEARERS_N };

struct pay_bearers;

struct pay_bearers *pay_bearers_new(void); /* NULL: no memory */
void pay_bearers_free(struct pay_bearers *bearers);

/* The token that is kept; false: there is none, or it ends soon. */
bool pay_bearer_get(struct pay_bearers *bearers, enum pay_bearer_of of, char out[PAY_BEARER_MAX]);
/* Keeps a token that counts for seconds from now. */
void pay_bearer_keep(struct pay_bearers *bearers, enum pay_bearer_of of, const char *token, int64_t seconds);
/* Forgets this token, which was refused; another one that came since stays. */
void pay_bearer_drop(struct pay_bearers *bearers, enum pay_bearer_of of, const char *token);

#endif
