/* Brings a database to the schema this program was built with: the files of db/migrations, which
 * the build puts into the program. Used by `rummyd migrate` and by `serve --dev`. */
#ifndef RUMMYD_DB_MIGRATE_H
#define RUMMYD_DB_MIGRATE_H

#include "base/embed.h"
#include "db/pg.h"

/* Applies what is missing, each file in a transaction of its own, one process at a time. Refuses (false, *err
 * one sentence) a database with a migration that was changed after it was applied, or that is newer than this
 * program. applied: how many ran; may be NULL. */
bool db_migrate(struct db_conn *conn, int *applied, struct db_error *err);
/* The same with files of the caller's, ascending, named "NNNN-subject.sql": for tests. */
bool db_migrate_files(struct db_conn *conn, const struct embed_file *files, size_t n, int *applied,
                      struct db_error *err);

enum db_schema { DB_SCHEMA_OK, DB_SCHEMA_BEHIND, DB_SCHEMA_UNKNOWN };
/* What `serve` asks before it starts: UNKNOWN with *err when it is changed, newer or cannot be read. */
enum db_schema db_schema_state(struct db_conn *conn, struct db_error *err);

#endif
