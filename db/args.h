/* Parameters of a statement, built in the caller's memory: bounded, without allocation. Overflow is recorded
 * (db_args_ok), and such arguments are rejected when sent. Any thread, one at a time.
 *
 * Numbers, texts, and booleans are sent in text form, so they fit any integer or text type that the statement
 * declares; bytes, UUIDs, and arrays are sent in binary and must match the type exactly. */
#ifndef RUMMYD_DB_ARGS_H
#define RUMMYD_DB_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DB_ARGS_MAX = 24 };

struct db_args {
    char *mem; /* owned by the caller; holds all values */
    size_t used, cap;
    int n;
    bool full; /* something did not fit */
    struct {
        size_t offset;
        int len;    /* -1: NULL */
        int format; /* 0 text, 1 binary */
    } values[DB_ARGS_MAX];
};

/* mem belongs to the caller and must outlive the sending call; values are copied into it. */
void db_args_init(struct db_args *args, void *mem, size_t cap);
bool db_args_ok(const struct db_args *args);

void db_args_null(struct db_args *args);
void db_args_int(struct db_args *args, int64_t number);
void db_args_bool(struct db_args *args, bool value);
/* NULL gives SQL NULL. The text must be UTF-8 without NULs, or the database rejects it. */
void db_args_text(struct db_args *args, const char *text);
void db_args_text_n(struct db_args *args, const char *text, size_t len);
void db_args_bytes(struct db_args *args, const void *bytes, size_t len); /* bytea */
void db_args_uuid(struct db_args *args, const uint8_t uuid[16]);

/* One-dimensional arrays without NULLs. */
void db_args_i64_array(struct db_args *args, const int64_t *items, size_t n);        /* bigint[] */
void db_args_i32_array(struct db_args *args, const int32_t *items, size_t n);        /* integer[] */
void db_args_i16_array(struct db_args *args, const int16_t *items, size_t n);        /* smallint[] */
void db_args_uuid_array(struct db_args *args, const uint8_t (*items)[16], size_t n); /* uuid[] */
struct db_slice {
    const void *bytes;
    size_t len;
};
void db_args_bytes_array(struct db_args *args, const struct db_slice *items, size_t n); /* bytea[] */
void db_args_text_array(struct db_args *args, const struct db_slice *items, size_t n);  /* text[] */

/* In libpq's format; the arrays need DB_ARGS_MAX elements. */
void db_args_bind(const struct db_args *args, const char **values, int *lengths, int *formats);

#endif
