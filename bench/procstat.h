/* Memory and processor time of another process and of the machine, from /proc. Any thread. */
#ifndef RUMMYD_BENCH_PROCSTAT_H
#define RUMMYD_BENCH_PROCSTAT_H

#include <stdbool.h>
#include <stdint.h>

enum { PROCSTAT_THREADS_MAX = 16, PROCSTAT_NAME_MAX = 16 };

struct procstat {
    int64_t rss_kb; /* resident: smaps_rollup, otherwise VmRSS */
    int64_t cpu_ns; /* user and system */
    int threads_n;
    struct {
        char name[PROCSTAT_NAME_MAX];
        int id;
        int64_t cpu_ns;
    } threads[PROCSTAT_THREADS_MAX];
};

/* false: no such process. */
bool procstat_read(struct procstat *p, int pid);

/* Time of all processors together since boot; 0 if unavailable. */
struct procstat_machine {
    int64_t busy_ns;   /* a process was running */
    int64_t stolen_ns; /* a process was ready to run, but the host ran another machine instead */
};
struct procstat_machine procstat_machine(void);

#endif
