/* The proof of the books: `rummyd ledger-check` and the kill test. */
#ifndef RUMMYD_DB_LEDGER_CHECK_H
#define RUMMYD_DB_LEDGER_CHECK_H

#include "db/ledger_seal.h"
#include "db/pg.h"

#include <stdio.h>

/* Looks through the whole database in one snapshot and prints a line for each problem (name, subject,
 * detail), or one line of totals when there is none. Returns the number of problems, -1 and *err when it
 * could not look. */
int db_ledger_check(struct db_conn *conn, FILE *out, struct db_error *err);
/* As above, and proves that the chain still leads through a head that was published. */
int db_ledger_check_since(struct db_conn *conn, const struct db_head *head, FILE *out, struct db_error *err);
/* As above: makes ratings, boards, Clover points and levels again from the games alone and prints every
 * difference. */
int db_ratings_check(struct db_conn *conn, FILE *out, struct db_error *err);

#endif
