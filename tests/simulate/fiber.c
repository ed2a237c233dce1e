/* The threads of the nodes, as fibers of one thread, and the C library calls by which they start, wait, and
 * read the time. The linker redirects these calls here (--wrap, see the Makefile). A fiber yields only
 * where a thread would wait. */
#undef _FORTIFY_SOURCE /* it mistakes a jump to another stack for an error */
#include "tests/simulate/sim.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "base/bug.h"
#include "base/thread.h"

enum { STACK_BYTES = 512 * 1024, FIBERS_MAX = 64 };

struct sim_fiber {
    jmp_buf at; /* where the fiber yielded */
    struct sim_node *node;
    void *(*run)(void *arg);
    void *arg;
    const char *name;
    const void *what; /* what it waits for; NULL while it runs */
    int64_t nth;      /* counts all fibers, because slots are reused */
    int64_t nth_wait; /* an alarm of an earlier wait is ignored */
    bool used, begun, timed_out;
    char *stack;
};

static struct sim_fiber fibers[FIBERS_MAX];
static size_t fibers_n; /* maximum number used at once */
static int64_t begun_n;
static struct sim_fiber *running;
static struct sim_node *acting;
static jmp_buf outside;
static jmp_buf dead_end; /* for leaving an event in which its node dies */

struct sim_fiber *sim_fiber_now(void)
{
    return running;
}

struct sim_node *sim_node_now(void)
{
    return acting;
}

static void main_of(void)
{
    struct sim_fiber *fiber = running;
    (void)fiber->run(fiber->arg);
    sim_fiber_wake_all(fiber->node, fiber, false); /* wakes the joining thread */
    fiber->used = false;
    _longjmp(outside, 1);
}

/* Runs a fiber on a separate stack. */
_Noreturn static void begin(struct sim_fiber *fiber)
{
    static ucontext_t first;
    fiber->begun = true;
    ASSERT(getcontext(&first) == 0);
    first.uc_stack.ss_sp = fiber->stack;
    first.uc_stack.ss_size = STACK_BYTES;
    first.uc_link = NULL;
    makecontext(&first, main_of, 0);
    (void)setcontext(&first);
    BUG("a fiber does not start");
}

/* Uses jumps, because swapcontext makes a system call for the signal mask each time. */
static void enter(struct sim_fiber *fiber)
{
    ASSERT(!running && fiber->used);
    running = fiber;
    fiber->what = NULL;
    if (_setjmp(outside) == 0) {
        if (fiber->begun)
            _longjmp(fiber->at, 1);
        begin(fiber);
    }
    running = NULL;
}

static void resume(void *arg, int64_t nth_wait)
{
    struct sim_fiber *fiber = arg;
    if (fiber->used && fiber->nth_wait == nth_wait)
        enter(fiber);
}

static void alarm_of(void *arg, int64_t nth_wait)
{
    struct sim_fiber *fiber = arg;
    if (!fiber->used || fiber->nth_wait != nth_wait || !fiber->what)
        return;
    fiber->timed_out = true;
    enter(fiber);
}

struct sim_fiber *sim_fiber_start(struct sim_node *node, void *(*run)(void *arg), void *arg)
{
    struct sim_fiber *fiber = fibers;
    while (fiber < fibers + fibers_n && fiber->used)
        fiber++;
    ASSERT(fiber < fibers + FIBERS_MAX && node);
    if (fiber == fibers + fibers_n)
        fibers_n++;
    if (!fiber->stack)
        fiber->stack = malloc(STACK_BYTES);
    ASSERT(fiber->stack);
    fiber->begun = false;
    fiber->nth = ++begun_n;
    fiber->node = node;
    fiber->run = run;
    fiber->arg = arg;
    fiber->name = NULL;
    fiber->what = fiber;
    fiber->used = true;
    sim_after(0, node, resume, fiber, ++fiber->nth_wait);
    return fiber;
}

bool sim_fiber_park(const void *what, int64_t us)
{
    struct sim_fiber *fiber = running;
    ASSERT(fiber && what);
    fiber->what = what;
    fiber->timed_out = false;
    fiber->nth_wait++;
    if (us >= 0)
        sim_after(us, fiber->node, alarm_of, fiber, fiber->nth_wait);
    struct sim_node *node = acting;
    if (_setjmp(fiber->at) == 0)
        _longjmp(outside, 1);
    ASSERT(running == fiber && acting == node);
    fiber->what = NULL;
    fiber->nth_wait++;
    return !fiber->timed_out;
}

void sim_fiber_wake_all(const struct sim_node *node, const void *what, bool only_one)
{
    for (struct sim_fiber *fiber = fibers; fiber < fibers + fibers_n; fiber++) {
        if (!fiber->used || fiber->node != node || fiber->what != what || fiber == running)
            continue;
        fiber->what = &fiber->what; /* already woken, so no other fiber or alarm can wake it */
        fiber->nth_wait++;
        sim_after(0, fiber->node, resume, fiber, fiber->nth_wait);
        if (only_one)
            return;
    }
}

void sim_as(struct sim_node *node, sim_fn *fn, void *arg, int64_t number)
{
    struct sim_node *before = acting;
    ASSERT(!running);
    acting = node;
    if (_setjmp(dead_end) == 0)
        fn(arg, number);
    running = NULL;
    acting = before;
}

/* The node's process has ended, so none of its fibers continues. Does not return if the current fiber is
 * one of them. */
void sim_fibers_of_dead(struct sim_node *node)
{
    bool itself = acting == node;
    for (struct sim_fiber *fiber = fibers; fiber < fibers + fibers_n; fiber++)
        if (fiber->node == node)
            fiber->used = false;
    if (itself && running)
        _longjmp(outside, 1);
    if (itself)
        _longjmp(dead_end, 1);
}

/* ---- Threads ---- */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
int __wrap_pthread_join(pthread_t thread, void **value);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock, const struct timespec *until);
int __wrap_pthread_cond_signal(pthread_cond_t *cond);
int __wrap_pthread_cond_broadcast(pthread_cond_t *cond);
int __wrap_sem_wait(sem_t *sem);
int __wrap_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until);
int __wrap_sem_post(sem_t *sem);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __real_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    (void)attr;
    *thread = (pthread_t)sim_fiber_start(acting, run, arg)->nth;
    return 0;
}

static const struct sim_fiber *still_running(int64_t nth)
{
    for (const struct sim_fiber *fiber = fibers; fiber < fibers + fibers_n; fiber++)
        if (fiber->used && fiber->nth == nth)
            return fiber;
    return NULL;
}

int __wrap_pthread_join(pthread_t thread, void **value)
{
    const struct sim_fiber *fiber;
    (void)value;
    while ((fiber = still_running((int64_t)thread)))
        (void)sim_fiber_park(fiber, -1);
    return 0;
}

/* A lock is a number stored at its address, because few locks are held while their fiber waits. */
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
    int *held = (int *)lock;
    while (*held)
        (void)sim_fiber_park(lock, -1);
    *held = 1;
    return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock)
{
    *(int *)lock = 0;
    if (running)
        sim_fiber_wake_all(acting, lock, true);
    return 0;
}

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock)
{
    (void)__wrap_pthread_mutex_unlock(lock);
    (void)sim_fiber_park(cond, -1);
    return __wrap_pthread_mutex_lock(lock);
}

/* Uses the node's clock, whose drift is less than the tolerance of an alarm. */
static int64_t us_until(const struct timespec *until)
{
    int64_t ns = (int64_t)until->tv_sec * 1000000000 + until->tv_nsec - sim_node_mono_ns(acting);
    return ns > 0 ? ns / 1000 + 1 : 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock, const struct timespec *until)
{
    (void)__wrap_pthread_mutex_unlock(lock);
    bool signalled = sim_fiber_park(cond, us_until(until));
    (void)__wrap_pthread_mutex_lock(lock);
    return signalled ? 0 : ETIMEDOUT;
}

int __wrap_pthread_cond_signal(pthread_cond_t *cond)
{
    sim_fiber_wake_all(acting, cond, true);
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *cond)
{
    sim_fiber_wake_all(acting, cond, false);
    return 0;
}

/* A semaphore is a number stored at its address. */
int __wrap_sem_wait(sem_t *sem)
{
    int *count = (int *)sem;
    while (*count == 0)
        (void)sim_fiber_park(sem, -1);
    (*count)--;
    return 0;
}

int __wrap_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
    int *count = (int *)sem;
    ASSERT(clock == CLOCK_MONOTONIC);
    while (*count == 0)
        if (!sim_fiber_park(sem, us_until(until)))
            return -1;
    (*count)--;
    return 0;
}

int __wrap_sem_post(sem_t *sem)
{
    ++*(int *)sem;
    sim_fiber_wake_all(acting, sem, true);
    return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    (void)sim_fiber_park(time, (int64_t)time->tv_sec * SIM_S + time->tv_nsec / 1000);
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!acting)
        return __real_clock_gettime(clock, time);
    int64_t ns = clock == CLOCK_REALTIME ? sim_node_unix_ns(acting) : sim_node_mono_ns(acting);
    *time = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return 0;
}

/* Replaces base/thread.c: the name is that of the fiber. Loop callbacks run outside all fibers. */
void thread_begin(const char *name, enum thread_kind kind)
{
    (void)kind;
    if (running)
        running->name = name;
}

bool thread_is(const char *name)
{
    const char *mine = running ? running->name : THREAD_HUB;
    return !mine || strcmp(mine, name) == 0;
}
