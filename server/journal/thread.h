/* The journal: a thread with one connection for moves, starts, and ends of hands, and another thread for
 * settlements, so that no move waits for a settlement. Each thread takes all queued writes, makes them
 * durable, and returns them; only then do clients receive them. While the database is unreachable, the
 * threads keep the writes and retry. */
#ifndef RUMMYD_SERVER_JOURNAL_THREAD_H
#define RUMMYD_SERVER_JOURNAL_THREAD_H

#include "tables/ports.h"

struct srv_journal;

enum srv_journal_state {
    SRV_JOURNAL_UP,
    SRV_JOURNAL_DOWN,   /* a connection is lost and being retried */
    SRV_JOURNAL_FENCED, /* another process took this node's name: end the process */
};

/* Connects, takes the node's name, and takes over the tables of failed nodes. Waits for the name if its
 * process has just died. NULL: error is one sentence. Main thread. durable: false skips writing moves, to
 * measure their cost, but still makes writes that book chips. */
struct srv_journal *srv_journal_open(const char *conninfo, const char *node, size_t queue_max, bool durable,
                                     char *error, size_t error_cap);
int64_t srv_journal_epoch(const struct srv_journal *journal);
/* The journal's threads call wake whenever results are available or the state has changed. */
bool srv_journal_start(struct srv_journal *journal, void (*wake)(void *arg), void *arg);

/* Hub thread. false: the queue is full. */
bool srv_journal_push(struct srv_journal *journal, struct tab_write *write);
/* Takes completed writes; returns their number. */
size_t srv_journal_take(struct srv_journal *journal, struct tab_write **writes, size_t max);
enum srv_journal_state srv_journal_state(const struct srv_journal *journal);

/* Makes the queued writes, waits at most wait_ms for an unreachable database, and ends the threads. Main
 * thread. */
void srv_journal_stop(struct srv_journal *journal, int64_t wait_ms);
void srv_journal_free(struct srv_journal *journal);

#endif
