/* The state of the hub, private to its files. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_HUB_IN_H
#define RUMMYD_SERVER_HUB_HUB_IN_H

#include <ev.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "api/core/token.h"
#include "base/ring.h"
#include "db/pipe.h"
#include "server/hub/evicted.h"
#include "server/hub/handover.h"
#include "server/hub/hub.h"
#include "server/hub/news.h"
#include "server/hub/thinkers.h"
#include "server/journal/table_rows.h"
#include "server/lobby/lobby.h"
#include "server/ws/ws.h"
#include "tables/recover.h"

enum {
    HUB_MAILBOX_MAX = 4096,  /* queued srv_hub_table_changed calls */
    HUB_ADOPTED_MAX = 16384, /* queued srv_hub_adopted calls */
    HUB_TAKE_MAX = 1024,     /* journal results taken at once */
    HUB_FLUSH_EVERY = 16,    /* flush the frames after this many results, while they are cached */
    HUB_RETRY_MS = 1000,     /* clients reconnect this long after a restart */
    HUB_CONNECT_MS = 5000,   /* how long startup waits for its database connections */
    HUB_DRAIN_MS = 1000,     /* how long shutdown waits for database results */
    HUB_REDEEM_MAX = 64,     /* tickets per statement */
    HUB_HANDOVER_POLL_S = 1, /* poll interval for tables that other nodes have handed over */
    HUB_WAKE_S = 1,          /* poll interval for correspondence turns that are over */
    HUB_SWEEP_MAX = 500,     /* tables per poll */
    HUB_CROWD_MIN = 64,      /* sockets and tables that count as a peak */
    HUB_CROWD_GONE = 4,      /* a peak is over when only 1/4 of it remains */
};

struct srv_redemption; /* redemption.c */
struct srv_adoption;   /* load.c */
struct srv_word;       /* chat.c */

struct srv_hub {
    const struct srv_config *config;
    struct srv_journal *journal;
    struct srv_lease *lease;
    struct api_revoked *revoked;
    uint64_t applied[API_REVOKED_KINDS_N]; /* change counters of the lists already applied */
    struct ev_loop *loop;
    struct srv_ws *ws;
    struct db_pipe *pipe;
    struct srv_lobby *lobby;
    struct srv_thinkers *thinkers;
    struct api_token_keys keys;
    struct tab_registry registry;
    int64_t epoch;
    pthread_t thread;
    bool running;
    char *error; /* startup error, for the waiting main thread */
    size_t error_cap;
    sem_t ready, drained, handed_over;

    struct srv_redemption *tickets, **tickets_end;    /* not yet sent to the database */
    struct srv_redemption *redeeming[HUB_REDEEM_MAX]; /* being checked by the database */
    size_t redeeming_n;
    struct srv_word *words;                          /* chat messages not stored yet, oldest first */
    struct srv_adoption *adoptions, **adoptions_end; /* lists of tables being loaded */
    size_t adopting_n, adopting_now; /* tables in all lists; tables whose rows are being read */
    int64_t sweep_after;   /* id after which the next poll for waiting tables continues; 0: from the start */
    bool sweeping, waking; /* a poll is running: for waiting tables, for correspondence turns that are over */
    struct srv_handover handover;
    struct srv_evicted evicted;
    ev_timer handover_due;
    struct ring mailbox, adopted;
    struct srv_hub_news news;
    struct bus_port *_Atomic bus; /* NULL: not set yet */
    ev_async wake;                /* for the journal, the mailbox, drain, and stop */
    ev_timer due;                 /* next deadline of the tables */
    ev_timer second, beat;
    ev_prepare before_wait;
    ev_check after_wait;
    int64_t due_ms; /* deadline for which `due` is set */
    unsigned seconds;
    struct tab_counts counted;
    struct db_pipe_stats counted_pipe;
    size_t crowd; /* maximum of sockets and tables since memory was last returned */
    bool pipe_up;
    bool dismissed; /* all sockets are closed and new ones rejected: other nodes may have the tables */
    bool draining, logged_drained;
    atomic_bool drain_asked, stop_asked;
};

#endif
