/* Recomputes name keys (names.h) made with other tables: with another ICU version or other rules. `rummyd
 * migrate` and the start of `serve` call this, on the main thread. */
#ifndef RUMMYD_API_NAME_REKEY_H
#define RUMMYD_API_NAME_REKEY_H

#include "db/pg.h"

enum {
    API_REKEY_BATCH = 200,     /* players per transaction */
    API_REKEY_ALIKE_MAX = 1000 /* maximum number of confusable names checked twice and reported by id */
};

struct api_rekeyed {
    bool due;                             /* there was work to do */
    int64_t names, alike;                 /* number of names; number of those that resemble an earlier one */
    int64_t players[API_REKEY_ALIKE_MAX]; /* the first players with such a name */
    size_t players_n;
};

/* Whether all keys have this program's version. false: they do not, or *err has an outcome. */
bool api_names_current(struct db_conn *conn, struct db_error *err);
/* Recomputes the keys unless they are current. A player whose name resembles an earlier player's keeps it,
 * but without keys, and is reported. false: see *err; completed batches remain, and the next call starts
 * over. */
bool api_names_rekey(struct db_conn *conn, struct api_rekeyed *done, struct db_error *err);

#endif
