/* The two clocks over clock_gettime. Any thread. */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

#include "base/bug.h"

enum { MS_PER_S = 1000, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

static int64_t read_ns(clockid_t id)
{
    struct timespec ts;
    ASSERT(clock_gettime(id, &ts) == 0);
    return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int64_t clock_mono_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

int64_t clock_mono_ms(void)
{
    return clock_mono_ns() / NS_PER_MS;
}

int64_t clock_unix_ms(void)
{
    return read_ns(CLOCK_REALTIME) / NS_PER_MS;
}

void clock_rfc3339(char out[25], int64_t unix_ms)
{
    /* Four digits of the year are all the format has. */
    const int64_t first = -62135596800000LL, last = 253402300799999LL;
    if (unix_ms < first)
        unix_ms = first;
    if (unix_ms > last)
        unix_ms = last;
    int64_t s = unix_ms / MS_PER_S, ms = unix_ms % MS_PER_S;
    if (ms < 0) {
        ms += MS_PER_S;
        s--;
    }
    time_t t = (time_t)s;
    struct tm tm;
    ASSERT(gmtime_r(&t, &tm) != NULL);
    char text[64]; /* what the compiler thinks it might need */
    int n = snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900,
                     tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, (int)ms);
    ASSERT(n == 24);
    for (int i = 0; i <= n; i++)
        out[i] = text[i];
}
