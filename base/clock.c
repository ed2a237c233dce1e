/* The clocks, using clock_gettime. Any thread. */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>
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

int64_t clock_boot_ms(void)
{
    return read_ns(CLOCK_BOOTTIME) / NS_PER_MS;
}

int64_t clock_unix_ms(void)
{
    return read_ns(CLOCK_REALTIME) / NS_PER_MS;
}

void clock_rfc3339(char out[25], int64_t unix_ms)
{
    /* The format has only four digits for the year. */
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
    char text[64]; /* large enough to avoid compiler warnings */
    int n = snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900,
                     tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, (int)ms);
    ASSERT(n == 24);
    for (int i = 0; i <= n; i++)
        out[i] = text[i];
}

/* Parses n digits. */
static int digits(const char *p, int n)
{
    int number = 0;
    for (int i = 0; i < n; i++)
        number = 10 * number + (p[i] - '0');
    return number;
}

/* Days from 1970-01-01 to this day of the Gregorian calendar. */
static int64_t days_since_1970(int year, int month, int day)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int64_t y = year - 1;
    return 365 * y + y / 4 - y / 100 + y / 400 + before[month - 1] + (month > 2 && leap) + day - 719163;
}

/* Whether the text begins with this pattern, where 0 stands for any digit and other characters for
 * themselves. */
static bool has_form(const char *text, const char *form)
{
    for (size_t i = 0; form[i]; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

bool clock_read_rfc3339(const char *text, int64_t *unix_ms)
{
    static const char form[] = "0000-00-00T00:00:00", decimals[] = "0123456789";
    if (!has_form(text, form))
        return false;
    const char *end = text + strlen(form);
    int ms = 0;
    if (*end == '.') {
        const size_t n = strspn(++end, decimals);
        if (n < 1 || n > CLOCK_DECIMALS_MAX)
            return false;
        for (size_t i = 0; i < 3; i++)
            ms = 10 * ms + (i < n ? end[i] - '0' : 0);
        end += n;
    }
    int year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    int hour = digits(text + 11, 2), minute = digits(text + 14, 2), second = digits(text + 17, 2);
    if (strcmp(end, "Z") != 0 || year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 ||
        second > 59)
        return false;
    int64_t days = days_since_1970(year, month, day);
    int64_t next = month < 12 ? days_since_1970(year, month + 1, 1) : days_since_1970(year + 1, 1, 1);
    if (days >= next)
        return false;
    *unix_ms = MS_PER_S * (86400 * days + 3600 * hour + 60 * minute + second) + ms;
    return true;
}
