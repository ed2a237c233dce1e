/* One line, one write(2): lines of several threads never mix. See log.h. */
#include "base/log.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"

enum { LINE_MAX_BYTES = 2048, FIELDS_MAX = 16 };

static atomic_int level_min = LOG_INFO;

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

void log_event(enum log_level level, const char *event, const struct log_field *fields)
{
    if ((int)level < atomic_load_explicit(&level_min, memory_order_relaxed))
        return;
    char line[LINE_MAX_BYTES];
    struct buf b = buf_on(line, sizeof(line) - 2); /* "}\n" always fits */
    put_head(&b, level, event);
    for (int i = 0; i < FIELDS_MAX && fields[i].key; i++) {
        size_t before = b.len;
        if (fields[i].text)
            json_kv_text(&b, fields[i].key, fields[i].text);
        else
            json_kv_num(&b, fields[i].key, fields[i].number);
        if (b.full) { /* leave out the field that does not fit, keep the line */
            b.full = false;
            b.len = before;
        }
    }
    line[b.len] = '}';
    line[b.len + 1] = '\n';
    size_t done = 0, len = b.len + 2;
    while (done < len) {
        ssize_t n = write(STDERR_FILENO, line + done, len - done);
        if (n <= 0)
            return; /* nowhere to complain */
        done += (size_t)n;
    }
}
