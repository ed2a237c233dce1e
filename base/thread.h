/* Names and scheduling of threads. Each thread calls these functions for itself. */
#ifndef RUMMYD_BASE_THREAD_H
#define RUMMYD_BASE_THREAD_H

#include <stdbool.h>

enum thread_kind {
    THREAD_PROMPT,  /* players wait for each of its short work items: live tables and their journal */
    THREAD_PATIENT, /* handles as many requests as clients send: REST */
    THREAD_LONG,    /* uses the processor for long periods: password hashing, other servers */
    THREAD_LAST,    /* uses only idle processor time: bot searches */
};

/* Threads that assertions refer to. */
#define THREAD_HUB "hub"
#define THREAD_JOURNAL "journal"
#define THREAD_SETTLER "settler" /* journal thread for finished games */
#define THREAD_REST "rest"       /* each of the REST loops */

/* Names the calling thread, once (at most 15 bytes, a literal; shown by top -H and debuggers), and sets its
 * scheduling. It needs no privileges. If the kernel does not support this, all threads are scheduled
 * equally. */
void thread_begin(const char *name, enum thread_kind kind);
/* Whether the calling thread has this name or none, like tests and the main thread before other threads
 * run. For assertions about ownership of memory. */
bool thread_is(const char *name);

#endif
