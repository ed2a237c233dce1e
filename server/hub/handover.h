/* Hand-over: tables move to other nodes one by one while this one is running: all of them when it drains,
 * some to spread the load. The number at once and per second is limited, because each table brings its
 * players with their tickets. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_HANDOVER_H
#define RUMMYD_SERVER_HUB_HANDOVER_H

#include <libpq-fe.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct srv_hub;
struct tab_write;

enum {
    HUB_HANDOVER_EVERY_MS = 20,
    HUB_HANDOVER_STEP_MAX = 2,    /* tables per step: a hundred per second */
    HUB_HANDOVER_AT_ONCE = 8,     /* pending in the database */
    HUB_HANDOVER_CHECK_MAX = 256, /* tables that one step considers */
    HUB_HANDOVER_SWEEP_MAX = 500, /* tables handed over to this node that one poll finds */
    HUB_HANDOVER_BACK_MS = 10000, /* each poll goes back this far before the last answered one */
};

struct srv_handover {
    int64_t *ids; /* candidates, or NULL */
    size_t n, at;
    size_t left;                /* how many are still to be handed over; SIZE_MAX: all, including new ones */
    size_t under_way;           /* in the journal */
    bool to_lighter;            /* only to nodes with less of their capacity in use */
    bool awaited;               /* a caller waits until all are handed over */
    bool logged_refusal;        /* that no node accepts them has been logged */
    bool sweeping;              /* a poll for tables handed over to this node is running */
    int64_t sweep_skip;         /* the next poll skips this many */
    int64_t sweep_ms, swept_ms; /* when a poll was sent, and when the last answered one was (clock_mono_ms) */

    /* Requests of other threads. */
    atomic_bool all_requested, lighter_requested, none_requested;
    atomic_llong some_requested; /* 0: none */
};

/* Starts what was requested. */
void srv_hub_handover_apply(struct srv_hub *hub);
/* One step, every HUB_HANDOVER_EVERY_MS. */
void srv_hub_handover_step(struct srv_hub *hub);
/* Wakes the waiting caller if no table that could move is left, or no node accepts any. */
void srv_hub_handover_finish(struct srv_hub *hub);
/* A table's write of this kind has completed. Call before tab_written. */
void srv_hub_handover_written(struct srv_hub *hub, const struct tab_write *write);
/* Finds tables that other nodes have handed over to this one and that no client has connected to yet. */
void srv_hub_handover_sweep(struct srv_hub *hub);
void srv_hub_handover_free(struct srv_hub *hub);

#endif
