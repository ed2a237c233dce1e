/* Due times of moves in an open loop: moves at a constant rate, distributed over the tables in turn. Due
 * times never wait for answers, so that a stall of the server counts in full (no coordinated omission).
 * Pure. */
#ifndef RUMMYD_BENCH_PACE_H
#define RUMMYD_BENCH_PACE_H

#include <stdint.h>

struct pace {
    int64_t start_ns;
    double gap_ns; /* between two moves, over all tables */
    uint32_t tables;
};

struct pace pace_start(int64_t now_ns, int rate, uint32_t tables);
/* The due time of the table's move number `slot` (0, 1, ...). */
int64_t pace_due(const struct pace *p, uint32_t table, uint64_t slot);
/* The table's first slot that is not due yet. */
uint64_t pace_slot_after(const struct pace *p, uint32_t table, int64_t now_ns);
/* The number of moves due by now over all tables; move k belongs to table k % tables. */
uint64_t pace_due_count(const struct pace *p, int64_t now_ns);

#endif
