/* The database part of a node's lease: the node registry, and the tables of dead nodes. It uses a separate
 * connection, so that it never waits for a table's write. Runs on the lease's thread, and before that
 * starts, on the main thread. */
#ifndef RUMMYD_DB_LEASE_H
#define RUMMYD_DB_LEASE_H

#include "db/pg.h"

enum {
    DB_LEASE_NODES_MAX = 256, /* other nodes that are considered */
    DB_LEASE_ADOPT_MAX = 32,  /* tables per transaction */
    DB_LEASE_TEXT_MAX = 512,
};

/* What a node reports about itself. */
struct db_node_report {
    const char *node, *ws_url, *version;
    const char *state; /* "starting", "ready" or "draining" */
    int64_t epoch, table_max, tables, sockets, lobby;
};

/* An operator's orders to the node, and the database's time. */
struct db_node_orders {
    int64_t unix_ms; /* the database's wall clock when it answered */
    bool drain;      /* hand all tables over */
    int64_t pass_n;  /* number of tables to hand over, to nodes that use less of their capacity */
};

/* Another node's row. */
struct db_peer {
    char node[64], ws_url[DB_LEASE_TEXT_MAX], version[64];
    int64_t renewals; /* increases while it is running */
    bool lives;       /* by the database's clock: for display and comparison, not authoritative */
    bool tables;      /* it owns live tables */
    int64_t lobby;    /* players in its lobby */
};

enum db_lease_result {
    DB_LEASE_OK,
    DB_LEASE_STALE, /* the node's epoch has changed: it no longer owns any tables */
    DB_LEASE_AWAY,  /* outcome unknown: err has the reason */
};

/* Renews the lease and reports. *lease_ms: duration of the lease from the time of this call. */
enum db_lease_result db_lease_renew(struct db_conn *conn, const struct db_node_report *report,
                                    int64_t *lease_ms, struct db_node_orders *orders, struct db_error *err);
/* The other nodes: their number, or -1 with *err. */
int db_lease_peers(struct db_conn *conn, const char *node, struct db_peer nodes[DB_LEASE_NODES_MAX],
                   struct db_error *err);
/* Takes over the tables of a node whose renewal count has not increased; their number, or -1 with *err. */
int db_lease_adopt(struct db_conn *conn, const struct db_node_report *report, const struct db_peer *from,
                   int64_t tables[DB_LEASE_ADOPT_MAX], struct db_error *err);
/* The database's wall clock; false and *err if it cannot be read. */
bool db_lease_clock(struct db_conn *conn, int64_t *unix_ms, struct db_error *err);

#endif
