/* What a node's lease is made of in the database: the registry of nodes, and the tables of those that are
 * gone. Its own connection, so that it waits behind no write of a table. The lease's thread; before that the
 * main thread. */
#ifndef RUMMYD_DB_LEASE_H
#define RUMMYD_DB_LEASE_H

#include "db/pg.h"

enum {
    DB_LEASE_NODES_MAX = 256, /* others that are looked at */
    DB_LEASE_ADOPT_MAX = 32,  /* tables of one transaction */
    DB_LEASE_TEXT_MAX = 512,
};

/* What a node says of itself. */
struct db_node_word {
    const char *node, *ws_url, *version;
    const char *state; /* "starting", "ready" or "draining" */
    int64_t epoch, table_max, tables, sockets, lobby;
};

/* What an operator has asked of the node, and the time. */
struct db_node_orders {
    int64_t unix_ms; /* the wall clock of the database, when it answered */
    bool drain;      /* hand all tables over */
    int64_t pass_n;  /* hand so many over, as far as others have used less of their room */
};

/* Another node, as the database has it. */
struct db_node_beside {
    char node[64], ws_url[DB_LEASE_TEXT_MAX], version[64];
    int64_t renewals; /* grows while it lives */
    bool lives;       /* by the database's clock: to be shown and compared, not to be believed */
    bool tables;      /* it has live ones */
    int64_t lobby;    /* people in its lobby */
};

enum db_lease_result {
    DB_LEASE_OK,
    DB_LEASE_STALE, /* the node's epoch is another one: it has no tables any more */
    DB_LEASE_AWAY,  /* nobody knows: err says why */
};

/* Tells the word. *lease_ms: how long the lease lasts from when this was called. */
enum db_lease_result db_lease_renew(struct db_conn *conn, const struct db_node_word *word, int64_t *lease_ms,
                                    struct db_node_orders *orders, struct db_error *err);
/* The nodes beside this one: their number, or -1 with *err. */
int db_lease_beside(struct db_conn *conn, const char *node, struct db_node_beside nodes[DB_LEASE_NODES_MAX],
                    struct db_error *err);
/* Takes over tables of a node whose renewals have not grown; their number, or -1 with *err. */
int db_lease_adopt(struct db_conn *conn, const struct db_node_word *word, const struct db_node_beside *from,
                   int64_t tables[DB_LEASE_ADOPT_MAX], struct db_error *err);
/* The wall clock of the database; false and *err when it cannot be read. */
bool db_lease_clock(struct db_conn *conn, int64_t *unix_ms, struct db_error *err);

#endif
