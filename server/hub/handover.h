/* Hand-over: tables move to other nodes one by one while this node keeps running, all of them when it
 * drains, or some to spread the load. The number at once and per second is limited, because the players of
 * each table reconnect with new tickets. Hub thread. */
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
    HUB_HANDOVER_STEP_MAX = 2,    /* tables per step: 100 per second */
    HUB_HANDOVER_AT_ONCE = 8,     /* pending in the database */
    HUB_HANDOVER_CHECK_MAX = 256, /* tables checked per step */
    HUB_HANDOVER_SWEEP_MAX = 500, /* tables per poll for those handed over to this node */
    HUB_HANDOVER_BACK_MS = 10000, /* overlap of a poll with the last answered one */
};

struct srv_handover {
    int64_t *ids; /* candidates, or NULL */
    size_t n, at;
    size_t left;                /* tables still to hand over; SIZE_MAX: all, including new ones */
    size_t under_way;           /* writes pending in the journal */
    bool to_lighter;            /* only to nodes with less of their capacity in use */
    bool awaited;               /* a caller waits until all tables are handed over */
    bool logged_refusal;        /* a refusal by all nodes has been logged */
    bool sweeping;              /* a poll for tables handed over to this node is running */
    int64_t sweep_skip;         /* the next poll skips this many */
    int64_t sweep_ms, swept_ms; /* when the last poll, and the last answered one, were sent (clock_mono_ms) */

    /* Requests of other threads. */
    atomic_bool all_requested, lighter_requested, none_requested;
    atomic_llong some_requested; /* 0: none */
};

/* Starts or stops hand-overs as requested. */
void srv_hub_handover_apply(struct srv_hub *hub);
/* Makes one step, every HUB_HANDOVER_EVERY_MS. */
void srv_hub_handover_step(struct srv_hub *hub);
/* Wakes the waiting caller if no table is left that could move, or if no node accepts any. */
void srv_hub_handover_finish(struct srv_hub *hub);
/* Call when a hand-over write has completed, before tab_written. */
void srv_hub_handover_written(struct srv_hub *hub, const struct tab_write *write);
/* Finds tables that other nodes have handed over to this one and that no client has connected to yet. */
void srv_hub_handover_sweep(struct srv_hub *hub);
void srv_hub_handover_free(struct srv_hub *hub);

#endif
