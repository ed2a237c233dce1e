/* One statement for several waiting ones: what a pipe (db/pipe.h) needs in order to combine them and to
 * answer each of them. Runs on the loop's thread. */
#ifndef RUMMYD_DB_BATCH_STMT_H
#define RUMMYD_DB_BATCH_STMT_H

#include "db/args.h"
#include "db/pg.h"

enum {
    DB_BATCH_MAX = 16, /* statements combined into one */
    DB_BATCH_ANY = -1  /* see distinct */
};

/* What a parameter becomes: an array with a value per statement, or one value common to all. */
enum db_batch_kind {
    DB_BATCH_INT,   /* bigint[], of db_args_int */
    DB_BATCH_TEXT,  /* text[], of db_args_text */
    DB_BATCH_BYTES, /* bytea[], of db_args_bytes */
    DB_BATCH_UUID,  /* uuid[], of db_args_uuid */
    DB_BATCH_SAME   /* of db_args_text; statements with different values are not combined */
};

struct db_batch_stmt {
    const struct db_stmt *one;  /* returns one row, or possibly none (may_lack) */
    const struct db_stmt *many; /* the same parameters as arrays; returns one row for each, in order */
    enum db_batch_kind kinds[DB_ARGS_MAX]; /* of the parameters */
    int distinct;  /* index of a parameter that must differ between members; DB_BATCH_ANY: none */
    bool may_lack; /* if a row of `many` has NULL in its first column, `one` would return no row */
};

/* ---- For db/pipe.c ---------------------------------------------------------------------------------- */
struct db_request; /* db/async_conn.h */

/* Whether it can be combined with others. */
bool db_batch_stmt_may(const struct db_batch_stmt *how, const struct db_request *request);
/* Whether it can be combined with this group, whose members fit each other. */
bool db_batch_stmt_fits(const struct db_batch_stmt *how, struct db_request *const *group, size_t n,
                        const struct db_request *request);
/* The combined statement for these n, which become its members. NULL, and nothing changed: out of memory. */
struct db_request *db_batch_stmt_begin(const struct db_batch_stmt *how, struct db_request *const *group,
                                       size_t n);
/* Frees the combined statement and returns its members. */
size_t db_batch_stmt_end(struct db_request *many, struct db_request *members[DB_BATCH_MAX]);
/* Row i as a separate result, for PQclear. NULL: out of memory. */
PGresult *db_batch_stmt_row(const struct db_batch_stmt *how, const PGresult *rows, int i);

#endif
