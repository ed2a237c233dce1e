/* See log_budget.h. */
#include "base/log_budget.h"

#include "base/bug.h"

bool log_budget_take(struct log_budget *budget, int64_t per_s, int64_t now_ms)
{
    ASSERT(per_s >= 0 && budget->taken >= 0);
    if (now_ms / 1000 != budget->second) {
        budget->second = now_ms / 1000;
        budget->taken = 0;
    }
    if (budget->taken < per_s) {
        budget->taken++;
        return true;
    }
    budget->dropped++;
    return false;
}

int64_t log_budget_dropped(struct log_budget *budget)
{
    int64_t dropped = budget->dropped;
    budget->dropped = 0;
    return dropped;
}
