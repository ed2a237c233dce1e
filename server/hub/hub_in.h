/* What the files of the hub share. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_HUB_IN_H
#define RUMMYD_SERVER_HUB_HUB_IN_H

#include <ev.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "api/token.h"
#include "base/ring.h"
#include "db/pipe.h"
#include "server/hub/gone.h"
#include "server/hub/hub.h"
#include "server/hub/news.h"
#include "server/hub/pass.h"
#include "server/hub/thinkers.h"
#include "server/journal/table_rows.h"
#include "server/lobby/lobby.h"
#include "server/ws/ws.h"
#include "tables/recover.h"

enum {
    HUB_MAILBOX_MAX = 4096,  /* table_changed calls that wait */
    HUB_ADOPTED_MAX = 16384, /* srv_hub_adopted calls that wait */
    HUB_TAKE_MAX = 1024,     /* of the journal's answers in one go */
    HUB_FLUSH_EVERY = 16,    /* of them: what they say goes out while it is still in the cache */
    HUB_RETRY_MS = 1000,     /* clients come back after a restart */
    HUB_CONNECT_MS = 5000,   /* a start waits for its connections to the database */
    HUB_DRAIN_MS = 1000,     /* a stop waits for the answers of the database */
    HUB_REDEEM_MAX = 64,     /* tickets of one statement */
    HUB_PASSED_S = 1,        /* look for tables that others have passed to this node */
    HUB_WAKE_S = 1,          /* look for turns of hours that are over */
    HUB_SWEEP_MAX = 500,     /* of them at once */
    HUB_CROWD_MIN = 64,      /* so many sockets and tables are a crowd; */
    HUB_CROWD_GONE = 4,      /* it has gone when no more than this part of it is left */
};

struct srv_redemption; /* redemption.c */
struct srv_adoption;   /* load.c */

struct srv_hub {
    const struct srv_config *config;
    struct srv_journal *journal;
    struct srv_lease *lease;
    struct api_revoked *revoked;
    uint64_t heeded[API_REVOKED_KINDS_N]; /* changes of its lists that were heeded */
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
    char *error; /* of the start, main thread waits for it */
    size_t error_cap;
    sem_t ready, drained, passed;

    struct srv_redemption *tickets, **tickets_end;    /* not yet asked for */
    struct srv_redemption *redeeming[HUB_REDEEM_MAX]; /* on their way through the database */
    size_t redeeming_n;
    struct srv_adoption *adoptions, **adoptions_end; /* lists of tables on their way into memory */
    size_t adopting_n, adopting_now;                 /* tables of all lists; those that are being read */
    int64_t
        sweep_after; /* the next look for waiting tables reads on behind this one, 0: from the beginning */
    bool sweeping, waking; /* a look for waiting tables, or for turns of hours that are over, is on its way */
    struct srv_passes passes;
    struct srv_gone gone;
    ev_timer pass_due;
    struct ring mailbox, adopted;
    struct srv_hub_news news;
    struct bus_port *_Atomic bus; /* NULL: there is none yet */
    ev_async wake;                /* journal, mailbox, drain, stop */
    ev_timer due;                 /* of the tables */
    ev_timer second, beat;
    ev_prepare before_wait;
    ev_check after_wait;
    int64_t due_ms; /* what `due` is set to */
    unsigned seconds;
    struct tab_counts told;
    struct db_pipe_stats told_pipe;
    size_t crowd; /* the most sockets and tables there were since memory was given back */
    bool pipe_up;
    bool dismissed; /* all sockets were closed and none is let in: other nodes may have the tables */
    bool draining, told_drained;
    atomic_bool drain_asked, stop_asked;
};

/* redemption.c: a connection's way to its seat. */
void srv_hub_opened(void *ctx, struct srv_socket *socket);
void srv_hub_closed(void *ctx, struct srv_socket *socket);
/* Whether a socket that came without the lease being held waits for it; tries: how often it did so already.
 */
bool srv_hub_waits_for_lease(bool held, bool accompanied, bool draining, int tries);
/* Before the loop waits: sends for the tickets that came, unless others are on their way. */
void srv_hub_redeem(struct srv_hub *hub);
/* Forgets those that were not sent for. */
void srv_hub_forget_tickets(struct srv_hub *hub);
/* Reads the table's rows, then takes it over or brings it up to date. */
void srv_hub_load(struct srv_hub *hub, int64_t table_id);
/* Ends the table with refunds; one that is not known yet, when its rows are read. */
void srv_hub_cancel_table(struct srv_hub *hub, int64_t table_id);

/* outage.c: whether the database is there and the lease is held. What the loop does for a table comes after
 * it has looked. Ends the process when others have its tables. */
void srv_hub_look(struct srv_hub *hub);
/* In an outage, at each look: whether all sockets are to be closed now, which is so each time that the lease
 * ends while others live. dismissed: that they were, and the lease was not held again since. */
bool srv_hub_dismisses(bool *dismissed, bool held, bool accompanied);

/* counts.c: metrics, once a second. */
void srv_hub_count(struct srv_hub *hub);

/* revoked.c: who is no longer let in goes out. */
/* 0, or the code to close a socket of this player and session with. */
int srv_hub_revoked(const struct srv_hub *hub, int64_t player_id, int64_t session_id);
/* Leaves the table for banned players who play there. */
void srv_hub_leave_banned(const struct srv_hub *hub, struct tab_table *table);
/* Closes the sockets of those who came into the lists since the last time; waiting tables of banned players
 * look at their seats, and others leave for them. */
void srv_hub_heed_revoked(struct srv_hub *hub);

#endif
