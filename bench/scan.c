/* JSON spans; see scan.h. Escapes in strings are skipped instead of decoded, because the load generator
 * reads none. */
#include "bench/scan.h"

#include <string.h>

enum { DEPTH_MAX = 16 };

static const char *skip_blank(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* The position after the closing quote; NULL if there is none. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        if ((unsigned char)*at < 0x20 || (*at == '\\' && ++at == end))
            return NULL;
    }
    return at < end ? at + 1 : NULL;
}

/* The position after the bracket that closes the one at `at`; checks the nesting. */
static const char *nest_end(const char *at, const char *end)
{
    char open[DEPTH_MAX];
    int depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = string_end(at, end);
            if (!at)
                return NULL;
            continue;
        }
        if (*at == '{' || *at == '[') {
            if (depth == DEPTH_MAX)
                return NULL;
            open[depth++] = *at;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0 || open[--depth] != (*at == '}' ? '{' : '['))
                return NULL;
            if (depth == 0)
                return at + 1;
        }
        at++;
    }
    return NULL;
}

static const char *word_end(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - at) >= n && memcmp(at, word, n) == 0 ? at + n : NULL;
}

static const char *number_end(const char *at, const char *end)
{
    const char *from = at;
    while (at < end &&
           (*at == '-' || *at == '+' || *at == '.' || *at == 'e' || *at == 'E' || (*at >= '0' && *at <= '9')))
        at++;
    return at > from ? at : NULL;
}

/* Parses a value at `at`; returns the position after it. NULL: invalid. */
static const char *value_at(const char *at, const char *end, struct span *out)
{
    const char *past = NULL;
    char kind = at < end ? *at : 0;
    if (kind == '"')
        past = string_end(at, end);
    else if (kind == '{' || kind == '[')
        past = nest_end(at, end);
    else if (kind == 't')
        past = word_end(at, end, "true");
    else if (kind == 'f')
        past = word_end(at, end, "false");
    else if (kind == 'n')
        past = word_end(at, end, "null");
    else if (at < end)
        kind = '0', past = number_end(at, end);
    if (!past)
        return NULL;
    *out = (struct span){.at = at, .n = (uint32_t)(past - at), .kind = kind};
    if (kind == '"')
        out->at++, out->n -= 2;
    return past;
}

struct scan scan_into(struct span of)
{
    if (of.kind != '{' && of.kind != '[')
        return (struct scan){.at = of.at, .end = of.at, .bad = true};
    return (struct scan){.at = of.at + 1, .end = of.at + of.n - 1};
}

/* Skips the comma before the next item; false at the end. */
static bool next_item(struct scan *s)
{
    if (s->bad)
        return false;
    s->at = skip_blank(s->at, s->end);
    if (s->at == s->end)
        return false;
    if (s->started) {
        if (*s->at != ',') {
            s->bad = true;
            return false;
        }
        s->at = skip_blank(s->at + 1, s->end);
    }
    s->started = true;
    return true;
}

bool scan_element(struct scan *s, struct span *value)
{
    if (!next_item(s))
        return false;
    const char *past = value_at(s->at, s->end, value);
    s->bad = !past;
    s->at = past ? past : s->end;
    return past != NULL;
}

bool scan_member(struct scan *s, struct span *key, struct span *value)
{
    if (!next_item(s))
        return false;
    const char *past = value_at(s->at, s->end, key);
    if (past && key->kind == '"') {
        past = skip_blank(past, s->end);
        if (past < s->end && *past == ':')
            past = value_at(skip_blank(past + 1, s->end), s->end, value);
        else
            past = NULL;
    } else {
        past = NULL;
    }
    s->bad = !past;
    s->at = past ? past : s->end;
    return past != NULL;
}

struct span scan_find(struct span object, const char *name)
{
    struct scan s = scan_into(object);
    struct span key, value;
    while (object.kind == '{' && scan_member(&s, &key, &value)) {
        if (span_is(key, name))
            return value;
    }
    return (struct span){0};
}

int64_t span_int(struct span s, int64_t fallback)
{
    int64_t value = 0;
    bool minus = s.n > 1 && s.at[0] == '-';
    if (s.kind != '0' || s.n > 18)
        return fallback;
    for (uint32_t i = minus ? 1 : 0; i < s.n; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return fallback;
        value = value * 10 + (s.at[i] - '0');
    }
    return minus ? -value : value;
}
