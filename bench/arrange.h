/* Benchmark of the declare family's solver on one core: prints hands per second, and the slowest hand of a
 * sample with many groups, as lines "NAME NUMBER". Part of bench-bots. */
#ifndef RUMMYD_BENCH_ARRANGE_H
#define RUMMYD_BENCH_ARRANGE_H

#include <stdint.h>

/* now_ns: processor time of this thread. */
void arrange_figures(int64_t (*now_ns)(void));

#endif
