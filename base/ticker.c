/* A thread that runs a function periodically; see ticker.h. */
#include "base/ticker.h"

#include "base/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct ticker {
    const char *name;
    enum thread_kind kind;
    int64_t every_ms;
    ticker_fn *fn;
    void *arg;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stop; /* under lock */
};

/* false: stop. */
static bool wait_a_while(struct ticker *ticker)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ticker->every_ms / 1000;
    until.tv_nsec += ticker->every_ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    (void)pthread_mutex_lock(&ticker->lock);
    while (!ticker->stop && pthread_cond_timedwait(&ticker->wake, &ticker->lock, &until) == 0)
        continue;
    bool go_on = !ticker->stop;
    (void)pthread_mutex_unlock(&ticker->lock);
    return go_on;
}

static void *run(void *arg)
{
    struct ticker *ticker = arg;
    thread_begin(ticker->name, ticker->kind);
    while (wait_a_while(ticker))
        ticker->fn(ticker, ticker->arg);
    return NULL;
}

static void free_ticker(struct ticker *ticker)
{
    (void)pthread_cond_destroy(&ticker->wake);
    (void)pthread_mutex_destroy(&ticker->lock);
    free(ticker);
}

static struct ticker *start(const char *name, enum thread_kind kind, int64_t every_ms, ticker_fn *fn,
                            void *arg)
{
    struct ticker *ticker = calloc(1, sizeof(*ticker));
    pthread_condattr_t attr;
    if (!ticker)
        return NULL;
    ticker->name = name;
    ticker->kind = kind;
    ticker->every_ms = every_ms;
    ticker->fn = fn;
    ticker->arg = arg;
    (void)pthread_mutex_init(&ticker->lock, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&ticker->wake, &attr);
    (void)pthread_condattr_destroy(&attr);
    /* Only the main thread handles signals; it has already blocked them here. */
    if (pthread_create(&ticker->thread, NULL, run, ticker) != 0) {
        free_ticker(ticker);
        return NULL;
    }
    return ticker;
}

struct ticker *ticker_start(const char *name, int64_t every_ms, ticker_fn *fn, void *arg)
{
    return start(name, THREAD_LONG, every_ms, fn, arg);
}

struct ticker *ticker_start_prompt(const char *name, int64_t every_ms, ticker_fn *fn, void *arg)
{
    return start(name, THREAD_PROMPT, every_ms, fn, arg);
}

bool ticker_stopping(struct ticker *ticker)
{
    (void)pthread_mutex_lock(&ticker->lock);
    bool stop = ticker->stop;
    (void)pthread_mutex_unlock(&ticker->lock);
    return stop;
}

void ticker_stop(struct ticker *ticker)
{
    if (!ticker)
        return;
    (void)pthread_mutex_lock(&ticker->lock);
    ticker->stop = true;
    (void)pthread_cond_signal(&ticker->wake);
    (void)pthread_mutex_unlock(&ticker->lock);
    (void)pthread_join(ticker->thread, NULL);
    free_ticker(ticker);
}
