/* Interprets an HTTP status; see outcome.h. */
#include "pay/outcome.h"

#include <stdio.h>

enum pay_outcome pay_outcome_of(const struct net_fetched *answer, char why[PAY_WHY_MAX])
{
    if (answer->status >= 200 && answer->status < 300)
        return PAY_OK;
    if (answer->status == 0) {
        (void)snprintf(why, PAY_WHY_MAX, "%s", answer->why);
        return PAY_AGAIN;
    }
    if (answer->status == 404)
        return PAY_UNKNOWN;
    bool refused = answer->status >= 400 && answer->status < 500 && answer->status != 401 &&
                   answer->status != 403 && answer->status != 409 && answer->status != 429;
    return refused ? PAY_REFUSED : PAY_AGAIN;
}
