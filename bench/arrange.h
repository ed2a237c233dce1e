/* What the declare family's solver costs on one core: hands a second and the worst hand of a sample rich in
 * groups, printed as lines "NAME NUMBER". Part of bench-bots. */
#ifndef RUMMYD_BENCH_ARRANGE_H
#define RUMMYD_BENCH_ARRANGE_H

#include <stdint.h>

/* now_ns: the processor's time of this thread. */
void arrange_figures(int64_t (*now_ns)(void));

#endif
