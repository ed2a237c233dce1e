/* Reads /proc, see procstat.h. */
#include "bench/procstat.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MAX_HERE = 96, LINE_MAX_HERE = 512 };

/* The number after `key` in a file of "Key:   123 kB" lines; -1 if missing. */
static int64_t kb_of(const char *path, const char *key)
{
    char line[LINE_MAX_HERE];
    int64_t value = -1;
    FILE *f = fopen(path, "re");
    if (!f)
        return -1;
    while (value < 0 && fgets(line, sizeof(line), f)) {
        if (strncmp(line, key, strlen(key)) == 0)
            value = strtoll(line + strlen(key), NULL, 10);
    }
    fclose(f);
    return value;
}

static int64_t ticks_ns(unsigned long long ticks)
{
    return (int64_t)(ticks * (1000000000ULL / (unsigned long long)sysconf(_SC_CLK_TCK)));
}

/* Reads the name and processor time of a task from its stat file. The name is in parentheses; user and
 * system time are the 12th and 13th fields after it. */
static bool read_stat(const char *path, char *name, int64_t *cpu_ns)
{
    char line[LINE_MAX_HERE];
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    bool ok = fgets(line, sizeof(line), f) != NULL;
    (void)fclose(f);
    char *open = ok ? strchr(line, '(') : NULL, *close = ok ? strrchr(line, ')') : NULL;
    if (!open || !close)
        return false;
    char *at = close + 1;
    for (int field = 1; field < 12 && at; field++)
        at = strchr(at + 1, ' ');
    if (!at)
        return false;
    unsigned long long user = strtoull(at, &at, 10), kernel = strtoull(at, NULL, 10);
    snprintf(name, PROCSTAT_NAME_MAX, "%.*s", (int)(close - open - 1), open + 1);
    *cpu_ns = ticks_ns(user + kernel);
    return true;
}

static void read_threads(struct procstat *p, int pid)
{
    char path[PATH_MAX_HERE];
    const struct dirent *entry;
    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    if (!dir)
        return;
    while (p->threads_n < PROCSTAT_THREADS_MAX && (entry = readdir(dir))) {
        int id = (int)strtol(entry->d_name, NULL, 10);
        snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, id);
        if (id > 0 && read_stat(path, p->threads[p->threads_n].name, &p->threads[p->threads_n].cpu_ns))
            p->threads[p->threads_n++].id = id;
    }
    closedir(dir);
}

bool procstat_read(struct procstat *p, int pid)
{
    char path[PATH_MAX_HERE], name[PROCSTAT_NAME_MAX];
    *p = (struct procstat){0};
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    if (!read_stat(path, name, &p->cpu_ns))
        return false;
    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
    p->rss_kb = kb_of(path, "Rss:");
    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    if (p->rss_kb < 0)
        p->rss_kb = kb_of(path, "VmRSS:");
    read_threads(p, pid);
    return true;
}

/* "cpu  user nice system idle iowait irq softirq steal ...", in ticks. */
struct procstat_machine procstat_machine(void)
{
    enum { FIELDS = 8, IDLE = 3, IOWAIT = 4, STEAL = 7 };
    char line[LINE_MAX_HERE];
    struct procstat_machine m = {0};
    FILE *f = fopen("/proc/stat", "re");
    if (!f)
        return m;
    bool ok = fgets(line, sizeof(line), f) && strncmp(line, "cpu ", 4) == 0;
    fclose(f);
    char *at = line + 4;
    for (int field = 0; ok && field < FIELDS; field++) {
        int64_t ns = ticks_ns(strtoull(at, &at, 10));
        if (field == STEAL)
            m.stolen_ns = ns;
        else if (field != IDLE && field != IOWAIT)
            m.busy_ns += ns;
    }
    return m;
}
