/* Parses JSON text without building a tree: members of an object and elements of an array are spans of the
 * text. The load generator does this 200,000 times per second. Pure, any thread. */
#ifndef RUMMYD_BENCH_SCAN_H
#define RUMMYD_BENCH_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A value as in the text; for a string, the part between the quotes. */
struct span {
    const char *at;
    uint32_t n;
    char kind; /* '"' string, '{', '[', '0' number, 't' true, 'f' false, 'n' null, 0: absent */
};

struct scan {
    const char *at, *end;
    bool bad; /* invalid JSON */
    bool started;
};

/* Starts an iteration over the object or array in `of`. */
struct scan scan_into(struct span of);
/* Read the next member or element; false at the end or if scan->bad. */
bool scan_member(struct scan *s, struct span *key, struct span *value);
bool scan_element(struct scan *s, struct span *value);
/* Finds a member of an object by name; kind 0 if absent. */
struct span scan_find(struct span object, const char *name);

static inline struct span span_of(const char *text, size_t len)
{
    return (struct span){.at = text, .n = (uint32_t)len};
}
/* Inline, so that the length of a literal is known. */
static inline bool span_is(struct span s, const char *text)
{
    size_t n = strlen(text);
    return s.kind == '"' && s.n == n && memcmp(s.at, text, n) == 0;
}
/* The value of an integer of up to 18 characters, otherwise fallback. */
int64_t span_int(struct span s, int64_t fallback);
static inline bool span_true(struct span s)
{
    return s.kind == 't';
}

#endif
