/* A limit of lines per second for one kind, and a count of those omitted. Not shared between threads. */
#ifndef RUMMYD_BASE_LOG_BUDGET_H
#define RUMMYD_BASE_LOG_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* All zero at startup. */
struct log_budget {
    int64_t second; /* the second to which `taken` refers */
    int64_t taken, dropped;
};

/* Whether another line fits into the second of now_ms (any clock), with a limit of per_s; otherwise it counts
 * as dropped. */
bool log_budget_take(struct log_budget *budget, int64_t per_s, int64_t now_ms);
/* How many were dropped since the last call. */
int64_t log_budget_dropped(struct log_budget *budget);

#endif
