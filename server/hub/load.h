/* Tables from their rows, while the node runs and at its start: by one way, srv_hub_take_rows. One table at a
 * time comes by srv_hub_load; lists come by srv_hub_adopt: what a node that is gone has left, tables that
 * nobody told this node of, tables whose turn of hours is over. None of it blocks the hub: rows are read
 * through its pipe, a few tables at a time, and a table's moves wait for one replay at most. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_LOAD_H
#define RUMMYD_SERVER_HUB_LOAD_H

#include <libpq-fe.h>

#include "db/pipe.h"
#include "tables/recover.h"

struct srv_hub;

enum {
    HUB_ADOPT_MAX = 131072, /* tables that wait to be adopted */
    HUB_ADOPT_AT_ONCE = 8,  /* of them are read at once */
    HUB_WAKE_MAX = 64,      /* tables with turns of hours that are woken at once */
};

/* What came of a list: each of its tables counts once. */
struct srv_adopted {
    size_t taken;     /* in memory now */
    size_t ended;     /* over, or another node's by now */
    size_t lost;      /* no node can go on with them */
    size_t left_over; /* this node has no room, or it ends */
};

/* Once, when the whole list was read. */
typedef void srv_hub_adopted_fn(void *arg, const struct srv_adopted *adopted);

/* Reads the rows of a table (api_table_rows_stmt) for fn. may_wake: one that sleeps is woken before and is
 * this node's then. false: it cannot be asked for now, and fn is not called. */
bool srv_hub_read_rows(struct srv_hub *hub, int64_t table_id, bool may_wake, db_pipe_fn *fn, void *arg);
/* Takes over tables whose turn of hours is over, a few at a time. */
void srv_hub_wake_due(struct srv_hub *hub);
/* What the rows (api_table_rows_stmt) say becomes the table's, which is in memory afterwards if it is this
 * node's and goes on. *table: it, or NULL. */
enum tab_load_result srv_hub_take_rows(struct srv_hub *hub, int64_t table_id, const PGresult *rows,
                                       struct tab_table **table);
/* All live tables of the node, before the loop runs. false and one sentence when the database cannot be
 * read. */
bool srv_hub_load_all(struct srv_hub *hub, char *error, size_t error_cap);
/* Takes these tables over, whose rows name this node already, one after another; the ids are copied. While
 * the database is away they wait. done: may be NULL. false: HUB_ADOPT_MAX wait, or memory is short, and none
 * of them was taken. */
bool srv_hub_adopt(struct srv_hub *hub, const int64_t *ids, size_t n, srv_hub_adopted_fn *done, void *arg);
/* Goes on with what waits: after an outage. */
void srv_hub_adopt_on(struct srv_hub *hub);
/* Looks for waiting tables that nobody told this node of, and for those whose seats are others now. */
void srv_hub_sweep(struct srv_hub *hub);
/* The hub ends. */
void srv_hub_adopt_free(struct srv_hub *hub);

#endif
