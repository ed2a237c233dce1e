/* Names and scheduling of threads; see thread.h. */
#include "base/thread.h"

#include "base/bug.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    NAME_MAX_LEN = 15,
    NICE_MAX = 19,
    SLICE_NS = 100 * 1000, /* the minimum */
    KEEP_POLICY = 0x08,    /* keeps another class, such as real-time, if the process was started with it */
};

/* The kernel's layout (sched_setattr(2)). glibc 2.36 does not define it, and the kernel's header conflicts
 * with those of the C library. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
};

/* The nice value applies only to this thread, in addition to that of the process. The slice (Linux 6.12 and
 * later; older kernels ignore it) determines how soon a thread gets a processor after waking up, and how
 * long a running thread is not preempted. All threads have a short slice, so that the hub need not wait for
 * REST when it wakes up. */
static void schedule(int nice_more)
{
    int nice = getpriority(PRIO_PROCESS, 0) + nice_more;
    struct attributes attr = {.size = sizeof(attr),
                              .flags = KEEP_POLICY,
                              .nice = nice > NICE_MAX ? NICE_MAX : nice,
                              .runtime_ns = SLICE_NS};
    (void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

static _Thread_local const char *own_name;

void thread_begin(const char *name, enum thread_kind kind)
{
    static const int nice_more[] = {
        [THREAD_PROMPT] = 0, [THREAD_PATIENT] = 10, [THREAD_LONG] = 10, [THREAD_LAST] = NICE_MAX};
    ASSERT(strlen(name) <= NAME_MAX_LEN);
    ASSERT((size_t)kind < ARRAY_LEN(nice_more) && !own_name);
    own_name = name;
    (void)pthread_setname_np(pthread_self(), name);
    schedule(nice_more[kind]);
}

bool thread_is(const char *name)
{
    return !own_name || strcmp(own_name, name) == 0;
}
