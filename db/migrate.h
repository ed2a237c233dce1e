/* Brings a database to the schema of this program: schema.sql, db/functions, db/data, db/grants.sql, and
 * db/migrations, which the build embeds. Used by `rummyd migrate` and by `serve --dev`, on the main
 * thread. */
#ifndef RUMMYD_DB_MIGRATE_H
#define RUMMYD_DB_MIGRATE_H

#include "db/grants.h"

/* The sources from which a database is built. */
struct db_source {
    const struct embed_file
        *schema; /* one file; the part below DB_TRIGGERS_MARK is executed after the functions */
    const struct embed_file *functions; /* only CREATE OR REPLACE, in any order */
    size_t functions_n;
    const struct embed_file *data; /* rows; applied in this order, and each file can be run repeatedly */
    size_t data_n;
    const struct embed_file *migrations; /* "NNNN-subject.sql", ascending */
    size_t migrations_n;
    const struct embed_file *grants; /* privileges of the roles; NULL: none */
};
#define DB_TRIGGERS_MARK "\n-- ==== Triggers"

/* What a call has done. */
struct db_migrated {
    bool created;   /* the database was empty */
    int migrations; /* number of migrations executed; a new database counts none, because schema.sql includes
                       them */
    bool code;      /* functions, data, and grants were applied */
};

/* Creates an empty database, or upgrades one that an earlier version of this program created: each missing
 * migration in its own transaction, then, if functions, data, or grants differ from the database's, all of
 * them in one transaction, or only the grants if only they are missing. Functions that are no longer in the
 * tree are dropped; those created by others never are. One process at a time. done may be NULL. false, *err
 * one sentence, nothing changed except by the migrations that succeeded: a migration failed, was changed
 * after it was applied, or is newer than this program; schema.sql was changed without a migration; the
 * roles do not fit (db/grants.h). If there is nothing to do, any role that can read schema_state may call
 * it. */
bool db_migrate(struct db_conn *conn, const struct db_roles *roles, struct db_migrated *done,
                struct db_error *err);
/* The same from another source: for tests. roles: NULL if it has no grants. */
bool db_migrate_from(struct db_conn *conn, const struct db_source *source, const struct db_roles *roles,
                     struct db_migrated *done, struct db_error *err);
/* The embedded source. */
const struct db_source *db_migrate_source(void);

/* What is missing in a database. */
struct db_pending {
    bool create; /* the database is empty */
    bool code;   /* functions, data, or grants would be applied */
    size_t have; /* how many of the source's first migrations it has */
};
/* Reads only. false and *err under the same conditions as db_migrate. */
bool db_migrate_pending(struct db_conn *conn, const struct db_source *source, struct db_pending *pending,
                        struct db_error *err);

enum db_schema { DB_SCHEMA_OK, DB_SCHEMA_BEHIND, DB_SCHEMA_UNKNOWN };
/* Checked by `serve` before it starts: DB_SCHEMA_UNKNOWN with *err if the database is newer, changed,
 * created in another way, or cannot be read. */
enum db_schema db_schema_state(struct db_conn *conn, struct db_error *err);

#endif
