/* Memory and processor time of another process and of the machine, from /proc. Any thread. */
#ifndef RUMMYD_BENCH_PROCSTAT_H
#define RUMMYD_BENCH_PROCSTAT_H

#include <stdbool.h>
#include <stdint.h>

enum { PROCSTAT_THREADS_MAX = 16, PROCSTAT_NAME_MAX = 16 };

struct procstat {
    int64_t rss_kb; /* resident: smaps_rollup, else VmRSS */
    int64_t cpu_ns; /* user and system */
    int threads_n;
    struct {
        char name[PROCSTAT_NAME_MAX];
        int id;
        int64_t cpu_ns;
    } threads[PROCSTAT_THREADS_MAX];
};

/* false when there is no such process. */
bool procstat_read(struct procstat *p, int pid);

/* Nanoseconds that all processors were busy since the machine began, whoever it was for; 0 when it does not
 * tell. */
int64_t procstat_machine_ns(void);

#endif
