/* The ledger proof, for `rummyd ledger-check` and the kill test. */
#ifndef RUMMYD_DB_LEDGER_CHECK_H
#define RUMMYD_DB_LEDGER_CHECK_H

#include "db/ledger_seal.h"
#include "db/pg.h"

#include <stdio.h>

/* Checks the whole database in one snapshot and prints one line per problem (name, subject, detail), or one
 * line of totals if there is none. Returns the number of problems, -1 and *err if the check failed. */
int db_ledger_check(struct db_conn *conn, FILE *out, struct db_error *err);
/* As above, and also proves that the hash chain still includes a published head. */
int db_ledger_check_since(struct db_conn *conn, const struct db_head *head, FILE *out, struct db_error *err);
/* Recomputes ratings, leaderboards, Clover points, and levels from the games alone and prints every
 * difference; returns as above. */
int db_ratings_check(struct db_conn *conn, FILE *out, struct db_error *err);

#endif
