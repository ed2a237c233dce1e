/* Bounded byte buffer with a JSON writer that writes output directly, without building a tree. On overflow
 * it sets a flag and never writes out of bounds. One thread each. */
#ifndef RUMMYD_BASE_BUF_H
#define RUMMYD_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
    char *data; /* owned by the caller */
    size_t len, cap;
    bool full; /* something did not fit: the content must not be used */
};

struct buf buf_on(char *memory, size_t cap);
void buf_put(struct buf *b, const char *bytes, size_t len);
void buf_str(struct buf *b, const char *text);
void buf_int(struct buf *b, int64_t number);
/* Like printf, for code that is not performance-critical. */
void buf_fmt(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* JSON: the last byte written determines whether a comma is needed. Keys must be literals and are not
 * escaped; values are escaped. */
void json_open(struct buf *b, char bracket);  /* '{' or '[', preceded by a comma if needed */
void json_close(struct buf *b, char bracket); /* '}' or ']' */
void json_key_n(struct buf *b, const char *key, size_t len);
/* Inline, so that the length of a literal is known at compile time. */
static inline void json_key(struct buf *b, const char *key)
{
    json_key_n(b, key, strlen(key));
}
void json_text(struct buf *b, const char *value); /* NULL gives null; invalid UTF-8 bytes give U+FFFD */
void json_num(struct buf *b, int64_t value);
void json_bool(struct buf *b, bool value);
/* Writes null. (The name json_null would conflict with jansson's function.) */
void json_nil(struct buf *b);
void json_raw(struct buf *b, const char *json); /* a value that is already JSON */
static inline void json_kv_text(struct buf *b, const char *k, const char *v)
{
    json_key(b, k);
    json_text(b, v);
}
static inline void json_kv_num(struct buf *b, const char *k, int64_t v)
{
    json_key(b, k);
    json_num(b, v);
}
static inline void json_kv_bool(struct buf *b, const char *k, bool v)
{
    json_key(b, k);
    json_bool(b, v);
}

#endif
