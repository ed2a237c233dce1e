/* What a thread is called and how long it may be kept waiting for a processor. Any thread, for itself. */
#ifndef RUMMYD_BASE_THREAD_H
#define RUMMYD_BASE_THREAD_H

#include <stdbool.h>

enum thread_kind {
    THREAD_PROMPT,  /* players wait for each of its short turns: live tables, their journal */
    THREAD_PATIENT, /* answers strangers as fast as they ask, however many they are: REST */
    THREAD_LONG,    /* has the processor for long at a stretch: password hashing, other servers */
    THREAD_LAST,    /* has what the others leave: the thoughts of bots */
};

/* Threads that assertions ask for by name. */
#define THREAD_HUB "hub"
#define THREAD_JOURNAL "journal"
#define THREAD_SETTLER "settler" /* the journal's for games that end */
#define THREAD_REST "rest"       /* each of the loops */

/* Names the calling thread, once (15 bytes at most, a literal; top -H and the debugger show it) and tells the
 * kernel its kind. Nothing here needs a right, and a kernel that cannot is no error: all threads are alike
 * then. */
void thread_begin(const char *name, enum thread_kind kind);
/* The calling thread began by that name, or never did: the main thread before others run, a test. For
 * assertions about whose memory it is. */
bool thread_is(const char *name);

#endif
