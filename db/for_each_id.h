/* One read for each of many ids, pipelined. Used for the thousands of tables that a node takes over at
 * startup. Blocking; the connection's thread. */
#ifndef RUMMYD_DB_FOR_EACH_ID_H
#define RUMMYD_DB_FOR_EACH_ID_H

#include "db/pg.h"

/* Runs stmt, whose only parameter is an id, for each of ids and passes each result to visit, in order.
 * false and *err: a read failed; the results visited so far are valid, and the connection can only be
 * passed to db_reopen and db_close. */
bool db_for_each_id(struct db_conn *conn, const struct db_stmt *stmt, const int64_t *ids, size_t n,
                    void (*visit)(void *arg, int64_t id, const PGresult *rows), void *arg,
                    struct db_error *err);

#endif
