/* The meaning of a provider's HTTP status for the request. Pure, any thread. */
#ifndef RUMMYD_PAY_OUTCOME_H
#define RUMMYD_PAY_OUTCOME_H

#include "net/fetch.h"
#include "pay/pay.h"

/* why: set if there is no response. 401 and 403 mean that our key is wrong, which an operator has to fix;
 * they mean nothing for the request itself. */
enum pay_outcome pay_outcome_of(const struct net_fetched *answer, char why[PAY_WHY_MAX]);

#endif
