/* One statement for several that wait: what a pipe (db/pipe.h) must know of both to send the one instead of
 * the others, and to give each of them its answer. The loop's thread. */
#ifndef RUMMYD_DB_TOGETHER_H
#define RUMMYD_DB_TOGETHER_H

#include "db/args.h"
#include "db/pg.h"

enum {
    DB_TOGETHER_MAX = 16, /* statements in one */
    DB_TOGETHER_ANY = -1  /* see distinct */
};

/* What a parameter becomes: an array of what each has, or what all of them have. */
enum db_together_kind {
    DB_TOGETHER_INT,   /* bigint[], of db_args_int */
    DB_TOGETHER_TEXT,  /* text[], of db_args_text */
    DB_TOGETHER_BYTES, /* bytea[], of db_args_bytes */
    DB_TOGETHER_UUID,  /* uuid[], of db_args_uuid */
    DB_TOGETHER_SAME   /* of db_args_text; who has another one is not done with them */
};

struct db_together {
    const struct db_stmt *one;  /* answers one row, or perhaps none (may_lack) */
    const struct db_stmt *many; /* the same parameters as arrays; answers a row for each, in their order */
    enum db_together_kind kinds[DB_ARGS_MAX]; /* of the parameters */
    int distinct;  /* a parameter, from 0, that no two in one statement have alike; DB_TOGETHER_ANY: none */
    bool may_lack; /* a row of many whose first column is NULL stands for none */
};

/* ---- For db/pipe.c ---------------------------------------------------------------------------------- */
struct db_request; /* db/async_conn.h */

/* Whether it is one that others may be done with. */
bool db_together_may(const struct db_together *how, const struct db_request *request);
/* Whether it can be done with these, which fit each other. */
bool db_together_fits(const struct db_together *how, struct db_request *const *group, size_t n,
                      const struct db_request *request);
/* The one statement for these n, which are its members from now on. NULL, and nothing changed: memory is
 * short. */
struct db_request *db_together_begin(const struct db_together *how, struct db_request *const *group,
                                     size_t n);
/* Frees the one statement and gives its members back. */
size_t db_together_end(struct db_request *many, struct db_request *members[DB_TOGETHER_MAX]);
/* What row i stands for as a result of its own, for PQclear. NULL: memory is short. */
PGresult *db_together_row(const struct db_together *how, const PGresult *rows, int i);

#endif
