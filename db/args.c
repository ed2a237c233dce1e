/* Statement parameters in the caller's memory. Used by every binder in db/, api/, and the hub; any thread. */
#include "db/args.h"

#include "base/bug.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 0, BINARY = 1 };

/* Object ids of PostgreSQL's element types, which never change (pg_type.dat). */
enum { OID_BYTEA = 17, OID_INT8 = 20, OID_INT2 = 21, OID_INT4 = 23, OID_TEXT = 25, OID_UUID = 2950 };

void db_args_init(struct db_args *args, void *mem, size_t cap)
{
    ASSERT(mem || cap == 0);
    *args = (struct db_args){.mem = mem, .cap = cap};
}

bool db_args_ok(const struct db_args *args)
{
    return !args->full;
}

/* Reserves space for a value of len bytes; NULL if it does not fit. */
static char *add(struct db_args *args, size_t len, int format)
{
    ASSERT(args->used <= args->cap && args->n >= 0 && args->n <= DB_ARGS_MAX);
    if (args->full || args->n == DB_ARGS_MAX || len > INT_MAX || len > args->cap - args->used) {
        args->full = true;
        return NULL;
    }
    args->values[args->n].offset = args->used;
    args->values[args->n].len = (int)len;
    args->values[args->n].format = format;
    args->n++;
    char *at = args->mem + args->used;
    args->used += len;
    ASSERT(args->used <= args->cap);
    return at;
}

void db_args_null(struct db_args *args)
{
    if (add(args, 0, TEXT))
        args->values[args->n - 1].len = -1;
}

/* A value in text form; libpq requires a trailing NUL. */
static void add_text(struct db_args *args, const char *text, size_t len)
{
    ASSERT(text);
    char *at = len < INT_MAX ? add(args, len + 1, TEXT) : NULL;
    if (!at) {
        args->full = true;
        return;
    }
    memcpy(at, text, len);
    at[len] = '\0';
}

void db_args_int(struct db_args *args, int64_t number)
{
    char text[24];
    int len = snprintf(text, sizeof text, "%lld", (long long)number);
    ASSERT(len > 0 && (size_t)len < sizeof text);
    add_text(args, text, (size_t)len);
}

void db_args_bool(struct db_args *args, bool value)
{
    add_text(args, value ? "t" : "f", 1);
}

void db_args_text(struct db_args *args, const char *text)
{
    if (text)
        add_text(args, text, strlen(text));
    else
        db_args_null(args);
}

void db_args_text_n(struct db_args *args, const char *text, size_t len)
{
    add_text(args, text, len);
}

static void add_bytes(struct db_args *args, const void *bytes, size_t len)
{
    ASSERT(bytes || len == 0);
    char *at = add(args, len, BINARY);
    if (at && len > 0)
        memcpy(at, bytes, len);
}

void db_args_bytes(struct db_args *args, const void *bytes, size_t len)
{
    add_bytes(args, bytes, len);
}

void db_args_uuid(struct db_args *args, const uint8_t uuid[16])
{
    add_bytes(args, uuid, 16);
}

/* ---- Arrays: dimensions, has-null, element type, (length, lower bound), then length and bytes of each
 * element ---- */

static char *put_be(char *at, uint64_t number, size_t bytes)
{
    ASSERT(bytes <= 8 && (bytes == 8 || number >> (8 * bytes) == 0));
    for (size_t i = 0; i < bytes; i++)
        at[i] = (char)(number >> (8 * (bytes - 1 - i)));
    return at + bytes;
}

/* Reserves space for an array whose elements occupy `bytes` bytes in total; returns where the elements
 * begin. */
static char *add_array(struct db_args *args, uint32_t element, size_t n, size_t bytes)
{
    size_t head = n > 0 ? 20 : 12; /* an empty array has no dimension */
    ASSERT(n > 0 || bytes == 0);
    if (n > INT_MAX / 4 || bytes > INT_MAX) {
        args->full = true;
        return NULL;
    }
    char *at = add(args, head + 4 * n + bytes, BINARY);
    if (!at)
        return NULL;
    at = put_be(at, n > 0 ? 1 : 0, 4);
    at = put_be(at, 0, 4);
    at = put_be(at, element, 4);
    if (n == 0)
        return at;
    at = put_be(at, n, 4);
    return put_be(at, 1, 4);
}

/* Checks that the elements fill the array's space exactly. at: the end of the last element; NULL: the array
 * did not fit. */
static void end_array(const struct db_args *args, const char *at)
{
    ASSERT(!at || at == args->mem + args->used);
}

void db_args_i64_array(struct db_args *args, const int64_t *items, size_t n)
{
    char *at = add_array(args, OID_INT8, n, 8 * n);
    for (size_t i = 0; at && i < n; i++)
        at = put_be(put_be(at, 8, 4), (uint64_t)items[i], 8);
    end_array(args, at);
}

void db_args_i32_array(struct db_args *args, const int32_t *items, size_t n)
{
    char *at = add_array(args, OID_INT4, n, 4 * n);
    for (size_t i = 0; at && i < n; i++)
        at = put_be(put_be(at, 4, 4), (uint32_t)items[i], 4);
    end_array(args, at);
}

void db_args_i16_array(struct db_args *args, const int16_t *items, size_t n)
{
    char *at = add_array(args, OID_INT2, n, 2 * n);
    for (size_t i = 0; at && i < n; i++)
        at = put_be(put_be(at, 2, 4), (uint16_t)items[i], 2);
    end_array(args, at);
}

void db_args_uuid_array(struct db_args *args, const uint8_t (*items)[16], size_t n)
{
    char *at = add_array(args, OID_UUID, n, 16 * n);
    for (size_t i = 0; at && i < n; i++) {
        at = put_be(at, 16, 4);
        memcpy(at, items[i], 16);
        at += 16;
    }
    end_array(args, at);
}

static void add_slices(struct db_args *args, uint32_t element, const struct db_slice *items, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n && bytes <= INT_MAX; i++)
        bytes += items[i].len;
    char *at = add_array(args, element, n, bytes);
    for (size_t i = 0; at && i < n; i++) {
        ASSERT(items[i].bytes || items[i].len == 0);
        at = put_be(at, items[i].len, 4);
        if (items[i].len > 0)
            memcpy(at, items[i].bytes, items[i].len);
        at += items[i].len;
    }
    end_array(args, at);
}

void db_args_bytes_array(struct db_args *args, const struct db_slice *items, size_t n)
{
    add_slices(args, OID_BYTEA, items, n);
}

void db_args_text_array(struct db_args *args, const struct db_slice *items, size_t n)
{
    add_slices(args, OID_TEXT, items, n);
}

void db_args_bind(const struct db_args *args, const char **values, int *lengths, int *formats)
{
    ASSERT(!args->full);
    for (int i = 0; i < args->n; i++) {
        bool null = args->values[i].len < 0;
        ASSERT(null || args->values[i].offset + (size_t)args->values[i].len <= args->used);
        values[i] = null ? NULL : args->mem + args->values[i].offset;
        lengths[i] = null ? 0 : args->values[i].len;
        formats[i] = args->values[i].format;
    }
}
