/* One read for each of many ids, without waiting for one before the next is asked: for the thousands
 * of tables a node takes over at its start. Blocking; the connection's thread. */
#ifndef RUMMYD_DB_EACH_H
#define RUMMYD_DB_EACH_H

#include "db/pg.h"

/* Runs stmt, whose one parameter is an id, for every one of ids and hands each result to visit, in
 * their order. false and *err: it failed somewhere; what was visited stays, the connection is good for
 * nothing but db_reopen and db_close. */
bool db_each(struct db_conn *conn, const struct db_stmt *stmt, const int64_t *ids, size_t n,
             void (*visit)(void *arg, int64_t id, const PGresult *rows), void *arg, struct db_error *err);

#endif
