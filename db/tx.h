/* A transaction of several statements on a blocking connection, tried again when PostgreSQL says that the
 * same again may pass. Used by subcommands and the journal thread. */
#ifndef RUMMYD_DB_TX_H
#define RUMMYD_DB_TX_H

#include "db/pg.h"

enum { DB_TX_TRIES_MAX = 5 };

/* Runs statements on conn; no other effect, for it may be called again. false and *err: roll back. */
typedef bool db_tx_fn(struct db_conn *conn, void *arg, struct db_error *err);

/* begin: "BEGIN" or with an isolation level; NULL is "BEGIN". true when committed. On DB_RETRY (from fn or
 * from the commit) everything is rolled back and fn called again, DB_TX_TRIES_MAX times at most. A connection
 * lost during the commit gives DB_UNKNOWN. */
bool db_tx_run(struct db_conn *conn, const char *begin, db_tx_fn *fn, void *arg, struct db_error *err);

#endif
