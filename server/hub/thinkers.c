/* Threads for bot searches; see thinkers.h. */
#include "server/hub/thinkers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/ring.h"
#include "base/thread.h"
#include "engine/bots/master.h"

struct srv_thinkers {
    void (*wake)(void *arg);
    void *arg;
    struct ring requests, answers; /* each has a slot for every search, so neither is ever full */
    struct tab_thought thoughts[HUB_THOUGHTS_MAX];
    struct tab_thought *free[HUB_THOUGHTS_MAX]; /* owned by the hub */
    size_t free_n;
    atomic_bool ends;
    int threads_n;
    struct thinker {
        struct srv_thinkers *of;
        pthread_t thread;
        struct eng_master master;
    } threads[];
};

static void *run(void *arg)
{
    struct thinker *thinker = arg;
    struct srv_thinkers *of = thinker->of;
    void *item;
    thread_begin("thinker", THREAD_LAST);
    while (ring_take_wait(&of->requests, &item, 1) > 0 && !atomic_load(&of->ends)) {
        struct tab_thought *thought = item;
        uint64_t dice = thought->dice;
        thought->view.params = &thought->params;
        eng_master_move(&thought->view, &thinker->master, &dice, &thought->move);
        bool returned = ring_push(&of->answers, thought);
        ASSERT(returned);
        of->wake(of->arg);
    }
    return NULL;
}

struct srv_thinkers *srv_thinkers_new(int threads_n, void (*wake)(void *arg), void *arg)
{
    ASSERT(threads_n >= 0 && threads_n <= HUB_THINKERS_MAX);
    struct srv_thinkers *thinkers = calloc(1, sizeof(*thinkers) + (size_t)threads_n * sizeof(struct thinker));
    if (!thinkers)
        return NULL;
    thinkers->wake = wake;
    thinkers->arg = arg;
    bool ok = ring_init(&thinkers->requests, HUB_THOUGHTS_MAX) == 0 &&
              ring_init(&thinkers->answers, HUB_THOUGHTS_MAX) == 0;
    for (; ok && threads_n > 0 && thinkers->free_n < HUB_THOUGHTS_MAX; thinkers->free_n++)
        thinkers->free[thinkers->free_n] = &thinkers->thoughts[thinkers->free_n];
    for (; ok && thinkers->threads_n < threads_n; thinkers->threads_n++) {
        struct thinker *thinker = &thinkers->threads[thinkers->threads_n];
        thinker->of = thinkers;
        ok = pthread_create(&thinker->thread, NULL, run, thinker) == 0;
        if (!ok)
            break;
    }
    if (ok)
        return thinkers;
    srv_thinkers_free(thinkers);
    return NULL;
}

void srv_thinkers_free(struct srv_thinkers *thinkers)
{
    if (!thinkers)
        return;
    atomic_store(&thinkers->ends, true);
    if (thinkers->threads_n > 0)
        ring_close(&thinkers->requests);
    for (int i = 0; i < thinkers->threads_n; i++)
        (void)pthread_join(thinkers->threads[i].thread, NULL);
    ring_free(&thinkers->answers);
    ring_free(&thinkers->requests);
    free(thinkers);
}

bool srv_thinkers_request(struct srv_thinkers *thinkers, const struct tab_thought *thought)
{
    if (thinkers->free_n == 0)
        return false;
    struct tab_thought *copy = thinkers->free[--thinkers->free_n];
    *copy = *thought;
    bool requests = ring_push(&thinkers->requests, copy);
    ASSERT(requests);
    return true;
}

bool srv_thinkers_take(struct srv_thinkers *thinkers, struct tab_thought *thought)
{
    void *item;
    if (ring_take(&thinkers->answers, &item, 1) == 0)
        return false;
    struct tab_thought *done = item;
    *thought = *done;
    ASSERT(thinkers->free_n < HUB_THOUGHTS_MAX);
    thinkers->free[thinkers->free_n++] = done;
    return true;
}
