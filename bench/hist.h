/* Histogram of durations with a relative error below 1.6 %: 64 steps per power of two. Used by the load
 * generator's event loop; one thread. */
#ifndef RUMMYD_BENCH_HIST_H
#define RUMMYD_BENCH_HIST_H

#include <stdint.h>

enum { HIST_STEP_BITS = 6, HIST_SLOTS = (64 - HIST_STEP_BITS + 1) << HIST_STEP_BITS };

struct hist {
    uint64_t n, max;
    uint64_t slots[HIST_SLOTS];
};

void hist_clear(struct hist *h);
/* Negative durations count as 0. */
void hist_add(struct hist *h, int64_t ns);
/* Upper limit, in ns, of the slot with the quantile q (0..1) of all values; 0 if empty. */
uint64_t hist_at(const struct hist *h, double q);

#endif
