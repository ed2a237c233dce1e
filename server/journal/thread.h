/* The journal: a thread with one connection for moves, starts, and ends of hands, and another thread for
 * settlements, so that no move waits for a settlement. Each takes all queued writes, makes them durable, and
 * returns them; only then do clients receive them. If the database is lost they keep the writes and retry
 * until it is back. */
#ifndef RUMMYD_SERVER_JOURNAL_THREAD_H
#define RUMMYD_SERVER_JOURNAL_THREAD_H

#include "tables/ports.h"

struct srv_journal;

enum srv_journal_state {
    SRV_JOURNAL_UP,
    SRV_JOURNAL_DOWN,   /* a connection is lost and being retried */
    SRV_JOURNAL_FENCED, /* another process took this node's name: end the process */
};

/* Connects, takes the node's name, and takes over the tables of nodes that are gone. Waits a few seconds for
 * a name whose process has just died. NULL and one sentence in error. Main thread. durable: false skips
 * writing moves, to measure their cost; writes that book chips still happen. */
struct srv_journal *srv_journal_open(const char *conninfo, const char *node, size_t queue_max, bool durable,
                                     char *error, size_t error_cap);
int64_t srv_journal_epoch(const struct srv_journal *journal);
/* wake is called on the journal's threads whenever results are available or the state changed. */
bool srv_journal_start(struct srv_journal *journal, void (*wake)(void *arg), void *arg);

/* Hub thread. false: the queue is full. */
bool srv_journal_push(struct srv_journal *journal, struct tab_write *write);
/* Takes writes that are durable or were refused; returns how many. */
size_t srv_journal_take(struct srv_journal *journal, struct tab_write **writes, size_t max);
enum srv_journal_state srv_journal_state(const struct srv_journal *journal);

/* Writes what is queued, waiting at most wait_ms for a lost database; ends the threads. Main thread. */
void srv_journal_stop(struct srv_journal *journal, int64_t wait_ms);
void srv_journal_free(struct srv_journal *journal);

#endif
