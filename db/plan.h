/* What `rummyd migrate` would do to a database, without doing it. For `rummyd migrate --plan`, on its thread.
 */
#ifndef RUMMYD_DB_PLAN_H
#define RUMMYD_DB_PLAN_H

#include "db/migrate.h"

#include <stdio.h>

/* Prints one line per pending migration, per lock that it takes on an existing table, and per function that
 * is new, changed, or removed. Locks are read from the text of the migrations, and durations are estimated
 * from the tables' sizes: an upper limit, for a statement that reads or rewrites every row. Takes no lock, in
 * a transaction that can only read. false and *err if the database cannot be migrated. */
bool db_migrate_plan(struct db_conn *conn, const struct db_source *source, FILE *out, struct db_error *err);

#endif
