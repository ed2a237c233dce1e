/* Each line is written with one write(2), so that lines of several threads never mix. See log.h. */
#include "base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"

enum { LINE_MAX_BYTES = 2048, FIELDS_MAX = 16 };

static atomic_int level_min = LOG_INFO;
static atomic_ullong lost;
static atomic_bool torn; /* a line was written partially, so the next one must start with a line feed */

uint64_t log_lost(void)
{
    return atomic_load(&lost);
}

void log_level_set(enum log_level level)
{
    atomic_store(&level_min, (int)level);
}

static void put_head(struct buf *b, enum log_level level, const char *event)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};
    char now[25];
    clock_rfc3339(now, clock_unix_ms());
    json_open(b, '{');
    json_kv_text(b, "at", now);
    json_kv_text(b, "level", names[level]);
    json_kv_text(b, "event", event);
}

/* Whether a key is repeated. A JSON reader would keep only one of the two. */
static bool is_repeated(const struct log_field *fields, int i)
{
    static const char *const head[] = {"at", "level", "event"};
    for (size_t j = 0; j < sizeof(head) / sizeof(head[0]); j++)
        if (strcmp(fields[i].key, head[j]) == 0)
            return true;
    for (int j = 0; j < i; j++)
        if (strcmp(fields[i].key, fields[j].key) == 0)
            return true;
    return false;
}

/* Number of bytes that were written. */
static size_t write_all(const char *bytes, size_t len)
{
    size_t done = 0;
    while (done < len) {
        ssize_t n = write(STDERR_FILENO, bytes + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

/* line: a line feed, the line, and its own line feed. The first line feed is written only after a torn
 * line. */
static void put_line(const char *line, size_t len)
{
    size_t from = atomic_exchange(&torn, false) ? 0 : 1;
    size_t done = write_all(line + from, len - from);
    if (done == len - from)
        return;
    if (done > 0 || from == 0)
        atomic_store(&torn, true);
    atomic_fetch_add(&lost, 1);
}

void log_event(enum log_level level, const char *event, const struct log_field *fields)
{
    if ((int)level < atomic_load_explicit(&level_min, memory_order_relaxed))
        return;
    char line[1 + LINE_MAX_BYTES] = "\n";
    struct buf b = buf_on(line + 1, LINE_MAX_BYTES - 2); /* "}\n" always fits */
    put_head(&b, level, event);
    for (int i = 0; i < FIELDS_MAX && fields[i].key; i++) {
        size_t before = b.len;
        if (is_repeated(fields, i))
            continue;
        if (fields[i].text)
            json_kv_text(&b, fields[i].key, fields[i].text);
        else
            json_kv_num(&b, fields[i].key, fields[i].number);
        if (b.full) { /* omit the field that does not fit, and keep the line */
            b.full = false;
            b.len = before;
        }
    }
    line[1 + b.len] = '}';
    line[2 + b.len] = '\n';
    put_line(line, b.len + 3);
}
