/* Names of event kinds; see kind.h. */
#include "pay/kind.h"

#include "base/bug.h"

#include <stddef.h>

const char *pay_kind_name(enum pay_kind kind)
{
    static const char *const names[] = {
        [PAY_NOTHING] = NULL,
        [PAY_NEWS] = NULL,
        [PAY_PAID] = "paid",
        [PAY_FAILED] = "failed",
        [PAY_EXPIRED] = "expired",
        [PAY_REFUNDED] = "refunded",
        [PAY_REFUND_FAILED] = "refund_failed",
        [PAY_DISPUTED] = "disputed",
        [PAY_DISPUTE_WON] = "dispute_won",
        [PAY_DISPUTE_LOST] = "dispute_lost",
    };
    ASSERT((size_t)kind < ARRAY_LEN(names));
    return names[kind];
}
