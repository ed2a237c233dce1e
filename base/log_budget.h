/* So many lines of a kind a second, and the number of those that were left out. Not shared between threads.
 */
#ifndef RUMMYD_BASE_LOG_BUDGET_H
#define RUMMYD_BASE_LOG_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* All zero at the start. */
struct log_budget {
    int64_t second; /* of which `taken` counts */
    int64_t taken, dropped;
};

/* Whether one more line fits into the second of now_ms (any clock), in which per_s do; else it counts as
 * dropped. */
bool log_budget_take(struct log_budget *budget, int64_t per_s, int64_t now_ms);
/* How many were dropped since the last call. */
int64_t log_budget_dropped(struct log_budget *budget);

#endif
