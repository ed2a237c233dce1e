/* What the roles of a database may do. The owner makes the tables and functions and owns them; the server
 * plays; the reader makes backups and figures. For db/migrate.c and the start of `serve`, on the main thread.
 */
#ifndef RUMMYD_DB_GRANTS_H
#define RUMMYD_DB_GRANTS_H

#include "base/embed.h"
#include "db/pg.h"

enum { DB_ROLE_MAX = 63 }; /* bytes of a role's name */

/* Names of roles; db_role_name_ok holds for both. The owner is whoever is connected. */
struct db_roles {
    const char *server, *read;
};

/* A letter or _, then letters, digits and _, all in lower case: such a name needs no quotes anywhere. */
bool db_role_name_ok(const char *name);

/* Whether both roles have the grants already; they have not after a restore, and under new names. false and
 * *err: it could not be asked. */
bool db_grants_given(struct db_conn *conn, const struct db_roles *roles, bool *given, struct db_error *err);
/* Gives them what `file` says, within the caller's transaction; false and *err: the transaction is spoiled.
 */
bool db_grants_apply(struct db_conn *conn, const struct embed_file *file, const struct db_roles *roles,
                     struct db_error *err);
/* Whether the connected role may own the database and the two others are there and are others; *err says what
 * to do. */
bool db_grants_roles_fit(struct db_conn *conn, const struct db_roles *roles, struct db_error *err);

/* What the connected role may do that a server should not: "the role x owns the tables". Empty text: nothing.
 * false and *err: it could not be asked. */
bool db_grants_excess(struct db_conn *conn, char *text, size_t cap, struct db_error *err);

#endif
