/* Recomputes name keys (names.h) that were made with other tables: another ICU version, other rules. Called
 * by `rummyd migrate` and at the start of `serve`, on the main thread. */
#ifndef RUMMYD_API_NAME_REKEY_H
#define RUMMYD_API_NAME_REKEY_H

#include "db/pg.h"

enum {
    API_REKEY_BATCH = 200,     /* players per transaction */
    API_REKEY_ALIKE_MAX = 1000 /* confusable names checked twice and reported by id */
};

struct api_rekeyed {
    bool due;                             /* there was work to do */
    int64_t names, alike;                 /* all names; those that resemble an earlier one */
    int64_t players[API_REKEY_ALIKE_MAX]; /* the first of these */
    size_t players_n;
};

/* Whether all keys were made by this program's version. false: no, or *err has an outcome. */
bool api_names_current(struct db_conn *conn, struct db_error *err);
/* Recomputes them unless they are current. A player whose name resembles an earlier player's keeps it,
 * without keys, and is reported. false: *err; finished batches remain, and the next call starts over. */
bool api_names_rekey(struct db_conn *conn, struct api_rekeyed *done, struct db_error *err);

#endif
