/* What a thread is called and how long it may be kept waiting for a processor. Any thread, for itself. */
#ifndef RUMMYD_BASE_THREAD_H
#define RUMMYD_BASE_THREAD_H

enum thread_kind {
    THREAD_PROMPT,  /* players wait for each of its short turns: live tables, their journal */
    THREAD_PATIENT, /* answers strangers as fast as they ask, however many they are: REST */
    THREAD_LONG,    /* has the processor for long at a stretch: password hashing, other servers */
};

/* Names the calling thread (15 bytes at most; top -H and the debugger show it) and tells the kernel its kind.
 * Nothing here needs a right, and a kernel that cannot is no error: all threads are alike then. */
void thread_begin(const char *name, enum thread_kind kind);

#endif
