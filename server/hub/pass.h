/* Hand-over: tables go to other nodes one by one while this one lives: all of them when it drains, some when
 * the load is to be spread. A few at a time and so many a second at most, for behind each come its players
 * with their tickets. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_PASS_H
#define RUMMYD_SERVER_HUB_PASS_H

#include <libpq-fe.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct srv_hub;
struct tab_write;

enum {
    HUB_PASS_EVERY_MS = 20,
    HUB_PASS_STEP_MAX = 2,      /* tables of one step: a hundred a second */
    HUB_PASS_AT_ONCE = 8,       /* on their way through the database */
    HUB_PASS_LOOK_MAX = 256,    /* tables that a step looks at */
    HUB_PASSED_SWEEP_MAX = 500, /* tables passed to this node that one look finds */
    HUB_PASSED_BACK_MS = 10000, /* it looks back so far behind the last look that was answered */
};

struct srv_passes {
    int64_t *ids; /* tables that may go, or NULL */
    size_t n, at;
    size_t left;                /* so many are to go yet; SIZE_MAX: all, and those that come */
    size_t under_way;           /* in the journal */
    bool to_lighter;            /* only to nodes that have used less of their room */
    bool awaited;               /* somebody waits until all have gone */
    bool told_nobody;           /* that no node takes them is in the log */
    bool sweeping;              /* a look for tables passed to this node is on its way */
    int64_t sweep_skip;         /* the next look reads on behind so many */
    int64_t sweep_ms, swept_ms; /* when a look was sent, and the last that was answered (clock_mono_ms) */

    /* What other threads ask for. */
    atomic_bool all_asked, lighter_asked, none_asked;
    atomic_llong some_asked; /* 0: nothing */
};

/* What was asked for begins. */
void srv_hub_pass_heed(struct srv_hub *hub);
/* One step: every HUB_PASS_EVERY_MS. */
void srv_hub_pass_step(struct srv_hub *hub);
/* Lets whoever waits go on, if nothing that could go is here, or nobody would have it. */
void srv_hub_pass_tell(struct srv_hub *hub);
/* A table's write of this kind is back. Before tab_written. */
void srv_hub_pass_written(struct srv_hub *hub, const struct tab_write *write);
/* Looks for tables that other nodes have passed to this one, and that nobody has come to yet. */
void srv_hub_pass_sweep(struct srv_hub *hub);
void srv_hub_pass_free(struct srv_hub *hub);

#endif
