/* Threads that search moves for the strongest bots of the hub's tables, so that no other table waits for
 * them. They run at low priority (THREAD_LAST). The hub submits searches and takes answers; the threads own
 * running searches. */
#ifndef RUMMYD_SERVER_HUB_THINKERS_H
#define RUMMYD_SERVER_HUB_THINKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/ports.h"

enum {
    HUB_THINKERS_MAX = 64,  /* threads */
    HUB_THOUGHTS_MAX = 128, /* searches waiting, running, or finished but not taken; about 1 s of work for one
                               thread, as long as a table waits for an answer */
};

struct srv_thinkers;

/* The threads call wake when an answer is available. threads_n 0: every request is rejected. NULL: out of
 * memory, or a thread cannot start. */
struct srv_thinkers *srv_thinkers_new(int threads_n, void (*wake)(void *arg), void *arg);
/* Waits for the running searches, which take milliseconds, and drops the others. */
void srv_thinkers_free(struct srv_thinkers *thinkers);
/* Copies the request. false: HUB_THOUGHTS_MAX searches are pending. */
bool srv_thinkers_request(struct srv_thinkers *thinkers, const struct tab_thought *thought);
/* Takes the next answer. false: none. */
bool srv_thinkers_take(struct srv_thinkers *thinkers, struct tab_thought *thought);

#endif
