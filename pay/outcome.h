/* What the status of a provider's answer means for what was asked. Pure, any thread. */
#ifndef RUMMYD_PAY_OUTCOME_H
#define RUMMYD_PAY_OUTCOME_H

#include "net/fetch.h"
#include "pay/pay.h"

/* why: set when there is no answer. 401 and 403 mean that our key is wrong, which an operator mends: what was
 * asked for is none the worse. */
enum pay_outcome pay_outcome_of(const struct net_fetched *answer, char why[PAY_WHY_MAX]);

#endif
