/* Bounded buffer and JSON writer; see buf.h. One thread each. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"

struct buf buf_on(char *memory, size_t cap)
{
    return (struct buf){.data = memory, .cap = cap};
}

/* Reserves space for the next n bytes; NULL: they do not fit. */
static inline char *take_room(struct buf *b, size_t n)
{
    if (b->full || n > b->cap - b->len) {
        b->full = true;
        return NULL;
    }
    char *at = b->data + b->len;
    b->len += n;
    return at;
}

static inline void put_char(struct buf *b, char c)
{
    char *at = take_room(b, 1);
    if (at)
        *at = c;
}

void buf_put(struct buf *b, const char *bytes, size_t len)
{
    char *at = len > 0 ? take_room(b, len) : NULL;
    if (at)
        memcpy(at, bytes, len);
}

void buf_str(struct buf *b, const char *text)
{
    buf_put(b, text, strlen(text));
}

void buf_int(struct buf *b, int64_t number)
{
    char digits[20]; /* sign and 19 digits */
    char *end = digits + sizeof(digits), *p = end;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        *--p = '-';
    buf_put(b, p, (size_t)(end - p));
}

void buf_fmt(struct buf *b, const char *fmt, ...)
{
    if (b->full)
        return;
    va_list args;
    va_start(args, fmt);
    size_t room = b->cap - b->len;
    int n = vsnprintf(b->data + b->len, room, fmt, args);
    va_end(args);
    /* vsnprintf needs a byte for its NUL; later output overwrites it. */
    if (n < 0 || (size_t)n >= room)
        b->full = true;
    else
        b->len += (size_t)n;
}

/* Whether a value or a name at this position follows another one. */
static inline bool needs_comma(const struct buf *b)
{
    if (b->len == 0)
        return false;
    char last = b->data[b->len - 1];
    return last != '{' && last != '[' && last != ':' && last != ',';
}

static inline void put_comma(struct buf *b)
{
    if (needs_comma(b))
        put_char(b, ',');
}

void json_open(struct buf *b, char bracket)
{
    ASSERT(bracket == '{' || bracket == '[');
    put_comma(b);
    put_char(b, bracket);
}

void json_close(struct buf *b, char bracket)
{
    ASSERT(bracket == '}' || bracket == ']');
    put_char(b, bracket);
}

void json_key_n(struct buf *b, const char *key, size_t len)
{
    bool comma = needs_comma(b);
    char *at = take_room(b, len + 3 + comma);
    if (!at)
        return;
    if (comma)
        *at++ = ',';
    *at++ = '"';
    memcpy(at, key, len);
    at[len] = '"';
    at[len + 1] = ':';
}

/* Writes the escape of a byte that must not appear unescaped in a JSON string. */
static void put_escaped(struct buf *b, unsigned char c)
{
    switch (c) {
    case '"':
        buf_put(b, "\\\"", 2);
        break;
    case '\\':
        buf_put(b, "\\\\", 2);
        break;
    case '\n':
        buf_put(b, "\\n", 2);
        break;
    case '\r':
        buf_put(b, "\\r", 2);
        break;
    case '\t':
        buf_put(b, "\\t", 2);
        break;
    default:
        buf_put(b, "\\u00", 4);
        char hex[3];
        text_hex(hex, &c, 1);
        buf_put(b, hex, 2);
    }
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\' && c < 0x7F;
}

/* Handles the common case of text that needs no escapes. false: it needs some. */
static bool put_plain(struct buf *b, const char *value)
{
    size_t n = 0;
    while (is_plain((unsigned char)value[n]))
        n++;
    if (value[n] != '\0')
        return false;
    bool comma = needs_comma(b);
    char *at = take_room(b, n + 2 + comma);
    if (!at)
        return true;
    if (comma)
        *at++ = ',';
    *at++ = '"';
    memcpy(at, value, n);
    at[n] = '"';
    return true;
}

void json_text(struct buf *b, const char *value)
{
    if (!value) {
        json_nil(b);
        return;
    }
    if (put_plain(b, value))
        return;
    put_comma(b);
    put_char(b, '"');
    const char *p = value;
    while (*p) {
        const char *start = p;
        while (is_plain((unsigned char)*p))
            p++;
        buf_put(b, start, (size_t)(p - start));
        unsigned char c = (unsigned char)*p;
        if (c == 0)
            break;
        if (c < 0x80) {
            put_escaped(b, c);
            p++;
            continue;
        }
        size_t n = text_utf8_char(p, strlen(p));
        if (n > 0)
            buf_put(b, p, n);
        else
            buf_put(b, "\xEF\xBF\xBD", 3);
        p += n > 0 ? n : 1;
    }
    put_char(b, '"');
}

void json_num(struct buf *b, int64_t value)
{
    put_comma(b);
    buf_int(b, value);
}

void json_bool(struct buf *b, bool value)
{
    put_comma(b);
    buf_str(b, value ? "true" : "false");
}

void json_nil(struct buf *b)
{
    put_comma(b);
    buf_put(b, "null", 4);
}

void json_raw(struct buf *b, const char *json)
{
    put_comma(b);
    buf_str(b, json);
}
