/* Keys of names (names.h) are made anew when they were made by other tables: another ICU, other rules. Called
 * by `rummyd migrate` and at the start of `serve`, on the main thread. */
#ifndef RUMMYD_API_NAME_REKEY_H
#define RUMMYD_API_NAME_REKEY_H

#include "db/pg.h"

enum {
    API_REKEY_BATCH = 200,     /* players of one transaction */
    API_REKEY_ALIKE_MAX = 1000 /* names looked at twice and told by their ids, of those that look alike now */
};

struct api_rekeyed {
    bool due;                             /* there was something to do */
    int64_t names, alike;                 /* all names; those that look like another one's */
    int64_t players[API_REKEY_ALIKE_MAX]; /* the first of these */
    size_t players_n;
};

/* Whether all keys were made by what this program makes them by. false: not, or *err has an outcome. */
bool api_names_current(struct db_conn *conn, struct db_error *err);
/* Makes them anew unless they are current. Who looks like an earlier player keeps their name, without keys of
 * their own, and is told. false: *err; what was done stays, and the next call begins anew. */
bool api_names_rekey(struct db_conn *conn, struct api_rekeyed *done, struct db_error *err);

#endif
