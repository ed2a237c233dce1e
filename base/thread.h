/* A thread's name, and how long it may have to wait for a processor. Any thread, for itself. */
#ifndef RUMMYD_BASE_THREAD_H
#define RUMMYD_BASE_THREAD_H

#include <stdbool.h>

enum thread_kind {
    THREAD_PROMPT,  /* players wait for each of its short work items: live tables, their journal */
    THREAD_PATIENT, /* answers as many requests as clients send: REST */
    THREAD_LONG,    /* uses the processor for long periods: password hashing, other servers */
    THREAD_LAST,    /* uses only idle processor time: bot searches */
};

/* Threads that assertions refer to. */
#define THREAD_HUB "hub"
#define THREAD_JOURNAL "journal"
#define THREAD_SETTLER "settler" /* the journal's for finished games */
#define THREAD_REST "rest"       /* each of the loops */

/* Names the calling thread, once (at most 15 bytes, a literal; shown by top -H and debuggers), and sets its
 * scheduling. It needs no privilege, and a kernel without support is not an error: then all threads are
 * equal. */
void thread_begin(const char *name, enum thread_kind kind);
/* Whether the calling thread has that name, or has none: the main thread before others run, a test. For
 * assertions about ownership of memory. */
bool thread_is(const char *name);

#endif
