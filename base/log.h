/* One JSON line per event on stderr. Any thread. Never pass secrets or hidden cards. */
#ifndef RUMMYD_BASE_LOG_H
#define RUMMYD_BASE_LOG_H

#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

void log_level_set(enum log_level level);

/* A field of a log line: text or number. */
struct log_field {
    const char *key;
    const char *text; /* NULL: use number */
    int64_t number;
};
/* This is a function because compilers warn if an array is compared with NULL. */
static inline struct log_field log_text(const char *key, const char *text)
{
    return (struct log_field){.key = key, .text = text ? text : ""};
}
#define LOG_TEXT(k, v) log_text((k), (v))
#define LOG_NUM(k, v) ((struct log_field){.key = (k), .number = (int64_t)(v)})
#define LOG_END ((struct log_field){0})

/* event: snake_case name of what happened; fields end with LOG_END, at most 16. Keys must be unique and
 * different from `at`, `level`, and `event`; a field that repeats a key is omitted. */
void log_event(enum log_level level, const char *event, const struct log_field *fields);
/* How many lines could not be written completely since startup, for example because a disk is full. */
uint64_t log_lost(void);

/* The list begins with an empty field, because in C11 only this extension of gcc and clang can drop the
 * comma. */
#define LOG_AT(level, event, ...)                                                                            \
    log_event((level), (event), (const struct log_field[]){LOG_END, ##__VA_ARGS__, LOG_END} + 1)
#define log_info(...) LOG_AT(LOG_INFO, __VA_ARGS__)
#define log_warn(...) LOG_AT(LOG_WARN, __VA_ARGS__)
#define log_error(...) LOG_AT(LOG_ERROR, __VA_ARGS__)
#define log_debug(...) LOG_AT(LOG_DEBUG, __VA_ARGS__)

#endif
