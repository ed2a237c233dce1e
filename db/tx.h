/* A transaction of several statements on a blocking connection, retried if PostgreSQL reports a conflict.
 * Used by subcommands and the journal thread. */
#ifndef RUMMYD_DB_TX_H
#define RUMMYD_DB_TX_H

#include "db/pg.h"

enum { DB_TX_TRIES_MAX = 5 };

/* Runs statements on conn; must have no other effect, because it may be called again. false and *err: roll
 * back. */
typedef bool db_tx_fn(struct db_conn *conn, void *arg, struct db_error *err);

/* begin: "BEGIN" or with an isolation level; NULL is "BEGIN". true if committed. On DB_RETRY (from fn or from
 * the commit) everything is rolled back and fn is called again, at most DB_TX_TRIES_MAX times. A connection
 * lost during the commit gives DB_UNKNOWN. */
bool db_tx_run(struct db_conn *conn, const char *begin, db_tx_fn *fn, void *arg, struct db_error *err);

#endif
