/* Loading tables from their rows, at startup and while the node runs, always through srv_hub_take_rows.
 * Single tables come from srv_hub_load, lists from srv_hub_adopt: the tables of a node that is gone, tables
 * that this node was not notified of, correspondence tables whose turn is over. None of this blocks the hub:
 * it reads rows through its pipe, a few tables at a time, and a table's moves wait for at most one replay.
 * Hub thread. */
#ifndef RUMMYD_SERVER_HUB_LOAD_H
#define RUMMYD_SERVER_HUB_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct srv_hub;

enum {
    HUB_ADOPT_MAX = 131072, /* tables queued for adoption */
    HUB_ADOPT_AT_ONCE = 8,  /* of these, how many are read at once */
    HUB_WAKE_MAX = 64,      /* correspondence tables woken at once */
};

/* The result of a list: each of its tables is counted once. */
struct srv_adopted {
    size_t taken;     /* now in memory */
    size_t ended;     /* ended, or now owned by another node */
    size_t lost;      /* no node can continue them */
    size_t left_over; /* this node is full or shutting down */
};

/* Called once, when the whole list has been read. */
typedef void srv_hub_adopted_fn(void *arg, const struct srv_adopted *adopted);

/* Takes over correspondence tables whose turn is over, a few at a time. */
void srv_hub_wake_due(struct srv_hub *hub);
/* Loads all live tables of the node, before the loop runs. false and one sentence if the database cannot be
 * read. */
bool srv_hub_load_all(struct srv_hub *hub, char *error, size_t error_cap);
/* Takes these tables over one after another; their rows already name this node. The ids are copied. During an
 * outage they wait. done: may be NULL. false: the limit HUB_ADOPT_MAX is reached, or memory is short, and
 * none of them was taken. */
bool srv_hub_adopt(struct srv_hub *hub, const int64_t *ids, size_t n, srv_hub_adopted_fn *done, void *arg);
/* Resumes queued adoptions after an outage. */
void srv_hub_adopt_on(struct srv_hub *hub);
/* Finds waiting tables that this node was not notified of, and those whose seats have changed. */
void srv_hub_sweep(struct srv_hub *hub);
/* The hub ends: frees the lists. */
void srv_hub_adopt_free(struct srv_hub *hub);

#endif
