/* Brings a database to the schema this program was built with: schema.sql, db/functions, db/data and
 * db/migrations, which the build puts into the program. Used by `rummyd migrate` and by `serve --dev`, on the
 * main thread. */
#ifndef RUMMYD_DB_MIGRATE_H
#define RUMMYD_DB_MIGRATE_H

#include "base/embed.h"
#include "db/pg.h"

/* What a database is made of. */
struct db_source {
    const struct embed_file
        *schema; /* one file; what follows DB_TRIGGERS_MARK in it comes after the functions */
    const struct embed_file *functions; /* CREATE OR REPLACE alone, in any order */
    size_t functions_n;
    const struct embed_file *data; /* rows, each file free to run again at any time; in this order */
    size_t data_n;
    const struct embed_file *migrations; /* "NNNN-subject.sql", ascending */
    size_t migrations_n;
};
#define DB_TRIGGERS_MARK "\n-- ==== Triggers"

/* What a call did. */
struct db_migrated {
    bool created;   /* the database was empty */
    int migrations; /* how many ran; those a new database has by its schema.sql do not */
    bool code;      /* functions and data were applied */
};

/* Makes an empty database, or brings one that an earlier version of this program made up to date: each
 * missing migration in a transaction of its own, then, when they differ from what the database has, all
 * functions and data in one. Functions that are no longer in the tree are dropped; one that somebody else
 * made never is. One process at a time. done may be NULL. false, *err one sentence, nothing changed but by
 * the migrations that passed: a migration failed, was changed after it was applied or is newer than this
 * program; schema.sql was changed without a migration. */
bool db_migrate(struct db_conn *conn, struct db_migrated *done, struct db_error *err);
/* The same from another source: for tests. */
bool db_migrate_from(struct db_conn *conn, const struct db_source *source, struct db_migrated *done,
                     struct db_error *err);
/* What this program carries. */
const struct db_source *db_migrate_source(void);

enum db_schema { DB_SCHEMA_OK, DB_SCHEMA_BEHIND, DB_SCHEMA_UNKNOWN };
/* What `serve` asks before it starts: UNKNOWN with *err when the database is newer, changed, made otherwise
 * or cannot be read. */
enum db_schema db_schema_state(struct db_conn *conn, struct db_error *err);

#endif
