/* Privileges of a database's roles. The owner creates and owns the tables and functions; the server role
 * serves players; the read role makes backups and statistics. For db/migrate.c and the start of `serve`, on
 * the main thread. */
#ifndef RUMMYD_DB_GRANTS_H
#define RUMMYD_DB_GRANTS_H

#include "base/embed.h"
#include "db/pg.h"

enum { DB_ROLE_MAX = 63 }; /* bytes of a role's name */

/* Role names; both pass db_role_name_ok. The owner is the connected role. */
struct db_roles {
    const char *server, *read;
};

/* A letter or _, then letters, digits, and _, all in lower case: such a name never needs quotes. */
bool db_role_name_ok(const char *name);

/* Whether both roles already have the grants; after a restore, or under new names, they do not. false and
 * *err: the query failed. */
bool db_grants_given(struct db_conn *conn, const struct db_roles *roles, bool *given, struct db_error *err);
/* Executes the grants in `file`, within the caller's transaction; false and *err: the transaction has
 * failed. */
bool db_grants_apply(struct db_conn *conn, const struct embed_file *file, const struct db_roles *roles,
                     struct db_error *err);
/* Whether the connected role may own the database and the other two roles exist and are different; *err
 * contains the remedy. */
bool db_grants_roles_fit(struct db_conn *conn, const struct db_roles *roles, struct db_error *err);

/* Privileges of the connected role that a server should not have: "the role x owns the tables". Empty:
 * none. false and *err: the query failed. */
bool db_grants_excess(struct db_conn *conn, char *text, size_t cap, struct db_error *err);

#endif
