/* Limits one kind of log line to a number per second, and counts omitted lines. Not shared between
 * threads. */
#ifndef RUMMYD_BASE_LOG_BUDGET_H
#define RUMMYD_BASE_LOG_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* All zero at startup. */
struct log_budget {
    int64_t second; /* the second in which `taken` was counted */
    int64_t taken, dropped;
};

/* Whether another line may be logged in the second of now_ms (any clock), with a limit of per_s; otherwise
 * counts it as dropped. */
bool log_budget_take(struct log_budget *budget, int64_t per_s, int64_t now_ms);
/* Number of lines dropped since the last call. */
int64_t log_budget_dropped(struct log_budget *budget);

#endif
