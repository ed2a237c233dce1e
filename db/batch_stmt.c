/* Combines the arguments of several statements into arrays, and splits the rows into separate answers. See
 * batch_stmt.h. */
#include "db/batch_stmt.h"

#include "base/bug.h"
#include "base/text.h"
#include "db/async_conn.h"

#include <stdlib.h>
#include <string.h>

/* Without the NUL at the end of a value in text form. */
static struct db_slice value_of(const struct db_request *request, int param)
{
    const struct db_args *args = &request->args;
    ASSERT(param >= 0 && param < args->n);
    bool text = args->values[param].format == 0;
    ASSERT(args->values[param].len >= text);
    return (struct db_slice){args->mem + args->values[param].offset,
                             (size_t)args->values[param].len - (size_t)text};
}

static bool alike(const struct db_request *a, const struct db_request *b, int param)
{
    struct db_slice left = value_of(a, param), right = value_of(b, param);
    return left.len == right.len && (left.len == 0 || memcmp(left.bytes, right.bytes, left.len) == 0);
}

bool db_batch_stmt_may(const struct db_batch_stmt *how, const struct db_request *request)
{
    if (request->stmt != how->one || request->alone || request->members)
        return false;
    for (int i = 0; i < request->args.n; i++) {
        if (request->args.values[i].len < 0) /* arrays have no NULLs */
            return false;
    }
    return true;
}

bool db_batch_stmt_fits(const struct db_batch_stmt *how, struct db_request *const *group, size_t n,
                        const struct db_request *request)
{
    size_t bytes = request->args.used;
    if (n == DB_BATCH_MAX || !db_batch_stmt_may(how, request))
        return false;
    for (size_t i = 0; i < n; i++) {
        bytes += group[i]->args.used;
        if (how->distinct != DB_BATCH_ANY && alike(group[i], request, how->distinct))
            return false;
    }
    for (int i = 0; n > 0 && i < request->args.n; i++) {
        if (how->kinds[i] == DB_BATCH_SAME && !alike(group[0], request, i))
            return false;
    }
    return n == 0 || bytes <= DB_PIPE_ARGS_BYTES_MAX;
}

static void bind_ints(struct db_args *args, const struct db_slice *values, size_t n)
{
    int64_t items[DB_BATCH_MAX];
    for (size_t i = 0; i < n; i++) {
        bool number = text_i64(values[i].bytes, INT64_MIN, INT64_MAX, &items[i]);
        ASSERT(number); /* db_args_int wrote it */
    }
    db_args_i64_array(args, items, n);
}

static void bind_uuids(struct db_args *args, const struct db_slice *values, size_t n)
{
    uint8_t items[DB_BATCH_MAX][16];
    for (size_t i = 0; i < n; i++) {
        ASSERT(values[i].len == sizeof(items[i]));
        memcpy(items[i], values[i].bytes, sizeof(items[i]));
    }
    db_args_uuid_array(args, (const uint8_t(*)[16])items, n);
}

static void bind(struct db_args *args, enum db_batch_kind kind, const struct db_slice *values, size_t n)
{
    switch (kind) {
    case DB_BATCH_INT:
        bind_ints(args, values, n);
        return;
    case DB_BATCH_TEXT:
        db_args_text_array(args, values, n);
        return;
    case DB_BATCH_BYTES:
        db_args_bytes_array(args, values, n);
        return;
    case DB_BATCH_UUID:
        bind_uuids(args, values, n);
        return;
    case DB_BATCH_SAME:
        db_args_text_n(args, values[0].bytes, values[0].len);
        return;
    }
}

struct db_request *db_batch_stmt_begin(const struct db_batch_stmt *how, struct db_request *const *group,
                                       size_t n)
{
    int params = how->many->n_params;
    ASSERT(n > 1 && n <= DB_BATCH_MAX && params == how->one->n_params);
    size_t cap =
        (size_t)params * (24 + 16 * n); /* array headers: before the array, and before each element */
    for (size_t i = 0; i < n; i++)
        cap += group[i]->args.used;
    struct db_request *many = calloc(1, sizeof(*many) + cap);
    if (!many)
        return NULL;
    many->stmt = how->many;
    db_args_init(&many->args, many->mem, cap);
    for (int p = 0; p < params; p++) {
        struct db_slice values[DB_BATCH_MAX];
        for (size_t i = 0; i < n; i++)
            values[i] = value_of(group[i], p);
        bind(&many->args, how->kinds[p], values, n);
    }
    ASSERT(db_args_ok(&many->args) && many->args.n == params);
    for (size_t i = n; i > 0; i--) {
        group[i - 1]->next = many->members;
        many->members = group[i - 1];
    }
    return many;
}

size_t db_batch_stmt_end(struct db_request *many, struct db_request *members[DB_BATCH_MAX])
{
    size_t n = 0;
    for (struct db_request *member = many->members; member; member = member->next) {
        ASSERT(n < DB_BATCH_MAX);
        members[n++] = member;
    }
    ASSERT(n > 1);
    free(many);
    return n;
}

PGresult *db_batch_stmt_row(const struct db_batch_stmt *how, const PGresult *rows, int i)
{
    ASSERT(i >= 0 && i < PQntuples(rows));
    PGresult *row = PQcopyResult(rows, PG_COPYRES_ATTRS);
    if (how->may_lack && PQgetisnull(rows, i, 0))
        return row;
    for (int column = 0; row && column < PQnfields(rows); column++) {
        bool null = PQgetisnull(rows, i, column);
        if (!PQsetvalue(row, 0, column, null ? NULL : PQgetvalue(rows, i, column),
                        null ? -1 : PQgetlength(rows, i, column))) {
            PQclear(row);
            row = NULL;
        }
    }
    return row;
}
