/* Loads tables from their rows, at startup and while the node runs, always through srv_hub_take_rows.
 * srv_hub_load loads single tables, srv_hub_adopt lists: the tables of a failed node, tables that this node
 * was not notified of, and correspondence tables whose turn is over. Loading does not block the hub, which
 * reads rows through its pipe, a few tables at a time. Moves wait for at most one replay. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_LOAD_H
#define RUMMYD_SERVER_HUB_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct srv_hub;

enum {
    HUB_ADOPT_MAX = 131072, /* tables queued for adoption */
    HUB_ADOPT_AT_ONCE = 8,  /* tables read at once */
    HUB_WAKE_MAX = 64,      /* correspondence tables woken at once */
};

/* The result of a list; each table is counted once. */
struct srv_adopted {
    size_t taken;     /* now in memory */
    size_t ended;     /* ended, or owned by another node now */
    size_t lost;      /* no node can continue them */
    size_t left_over; /* this node is full or shutting down */
};

/* Called once, when the whole list has been read. */
typedef void srv_hub_adopted_fn(void *arg, const struct srv_adopted *adopted);

/* Takes over correspondence tables whose turn is over, a few at a time. */
void srv_hub_wake_due(struct srv_hub *hub);
/* Loads all live tables of the node before the loop runs. false: the database cannot be read; error is one
 * sentence. */
bool srv_hub_load_all(struct srv_hub *hub, char *error, size_t error_cap);
/* Takes over these tables one after another; their rows already name this node. Copies the ids. During an
 * outage the tables wait. done: may be NULL. false: the limit HUB_ADOPT_MAX is reached or there is no
 * memory, and no table was queued. */
bool srv_hub_adopt(struct srv_hub *hub, const int64_t *ids, size_t n, srv_hub_adopted_fn *done, void *arg);
/* Resumes queued adoptions after an outage. */
void srv_hub_adopt_on(struct srv_hub *hub);
/* Finds waiting tables that this node was not notified of, and those whose seats have changed. */
void srv_hub_sweep(struct srv_hub *hub);
/* Frees the lists when the hub ends. */
void srv_hub_adopt_free(struct srv_hub *hub);

#endif
