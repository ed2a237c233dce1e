/* Brings a database to the schema this program was built with: schema.sql, db/functions, db/data,
 * db/grants.sql and db/migrations, which the build puts into the program. Used by `rummyd migrate` and by
 * `serve --dev`, on the main thread. */
#ifndef RUMMYD_DB_MIGRATE_H
#define RUMMYD_DB_MIGRATE_H

#include "db/grants.h"

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
    const struct embed_file *grants; /* what the roles may do; NULL: there are none */
};
#define DB_TRIGGERS_MARK "\n-- ==== Triggers"

/* What a call did. */
struct db_migrated {
    bool created;   /* the database was empty */
    int migrations; /* how many ran; those a new database has by its schema.sql do not */
    bool code;      /* functions, data and grants were applied */
};

/* Makes an empty database, or brings one that an earlier version of this program made up to date: each
 * missing migration in a transaction of its own, then, when they differ from what the database has, all
 * functions, data and grants in one; grants alone where only these are missing. Functions that are no longer
 * in the tree are dropped; one that somebody else made never is. One process at a time. done may be NULL.
 * false, *err one sentence, nothing changed but by the migrations that passed: a migration failed, was
 * changed after it was applied or is newer than this program; schema.sql was changed without a migration; the
 * roles do not fit (db/grants.h). Where there is nothing to do, any role that may read schema_state can call
 * it. */
bool db_migrate(struct db_conn *conn, const struct db_roles *roles, struct db_migrated *done,
                struct db_error *err);
/* The same from another source: for tests. roles: NULL where it has no grants. */
bool db_migrate_from(struct db_conn *conn, const struct db_source *source, const struct db_roles *roles,
                     struct db_migrated *done, struct db_error *err);
/* What this program carries. */
const struct db_source *db_migrate_source(void);

enum db_schema { DB_SCHEMA_OK, DB_SCHEMA_BEHIND, DB_SCHEMA_UNKNOWN };
/* What `serve` asks before it starts: UNKNOWN with *err when the database is newer, changed, made otherwise
 * or cannot be read. */
enum db_schema db_schema_state(struct db_conn *conn, struct db_error *err);

#endif
