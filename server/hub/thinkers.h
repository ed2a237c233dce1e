/* Threads that think for the strongest bots of the hub's tables, so that no other table waits for them. They
 * have what is left of the processors (THREAD_LAST). The hub asks and takes; a thought that is under way
 * belongs to the threads. */
#ifndef RUMMYD_SERVER_HUB_THINKERS_H
#define RUMMYD_SERVER_HUB_THINKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/ports.h"

enum {
    HUB_THINKERS_MAX = 64,  /* threads */
    HUB_THOUGHTS_MAX = 128, /* that wait, are thought, or are done and not yet taken: about a second of one
                               thread, which is what a table waits for an answer */
};

struct srv_thinkers;

/* wake is called on their threads when an answer is there. threads_n 0: nobody thinks, and all is refused.
 * NULL: memory is short, or a thread cannot start. */
struct srv_thinkers *srv_thinkers_new(int threads_n, void (*wake)(void *arg), void *arg);
/* Waits for the thoughts of the moment, milliseconds, and forgets the others. */
void srv_thinkers_free(struct srv_thinkers *thinkers);
/* Copies the thought. false: there are HUB_THOUGHTS_MAX. */
bool srv_thinkers_ask(struct srv_thinkers *thinkers, const struct tab_thought *thought);
/* The next answer. false: there is none. */
bool srv_thinkers_take(struct srv_thinkers *thinkers, struct tab_thought *thought);

#endif
