/* Due times of an open loop; see pace.h. */
#include "bench/pace.h"

#include "base/bug.h"

struct pace pace_start(int64_t now_ns, int rate, uint32_t tables)
{
    ASSERT(rate > 0 && tables > 0);
    return (struct pace){.start_ns = now_ns, .gap_ns = 1e9 / rate, .tables = tables};
}

int64_t pace_due(const struct pace *p, uint32_t table, uint64_t slot)
{
    return p->start_ns + (int64_t)(((double)slot * p->tables + table) * p->gap_ns);
}

uint64_t pace_slot_after(const struct pace *p, uint32_t table, int64_t now_ns)
{
    uint64_t due = pace_due_count(p, now_ns);
    return due <= table ? 0 : (due - table + p->tables - 1) / p->tables;
}

uint64_t pace_due_count(const struct pace *p, int64_t now_ns)
{
    return now_ns < p->start_ns ? 0 : (uint64_t)((double)(now_ns - p->start_ns) / p->gap_ns) + 1;
}
