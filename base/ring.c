/* Bounded pointer queue behind one mutex; see ring.h. */
#include "base/ring.h"

#include <stdlib.h>

#include "base/bug.h"

int ring_init(struct ring *r, size_t n_max)
{
    ASSERT(n_max > 0);
    *r = (struct ring){.n_max = n_max};
    r->slots = calloc(n_max, sizeof(*r->slots));
    if (!r->slots)
        return -1;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->filled, NULL);
    return 0;
}

void ring_free(struct ring *r)
{
    if (!r->slots)
        return;
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->filled);
    free(r->slots);
    r->slots = NULL;
}

bool ring_push(struct ring *r, void *item)
{
    pthread_mutex_lock(&r->lock);
    bool ok = !r->closed && r->n < r->n_max;
    if (ok) {
        r->slots[(r->head + r->n) % r->n_max] = item;
        r->n++;
        if (r->n == 1)
            pthread_cond_signal(&r->filled);
    }
    pthread_mutex_unlock(&r->lock);
    return ok;
}

static size_t take_locked(struct ring *r, void **items, size_t max)
{
    size_t n = r->n < max ? r->n : max;
    for (size_t i = 0; i < n; i++)
        items[i] = r->slots[(r->head + i) % r->n_max];
    r->head = (r->head + n) % r->n_max;
    r->n -= n;
    return n;
}

size_t ring_take(struct ring *r, void **items, size_t max)
{
    pthread_mutex_lock(&r->lock);
    size_t n = take_locked(r, items, max);
    pthread_mutex_unlock(&r->lock);
    return n;
}

size_t ring_take_wait(struct ring *r, void **items, size_t max)
{
    pthread_mutex_lock(&r->lock);
    while (r->n == 0 && !r->closed)
        pthread_cond_wait(&r->filled, &r->lock);
    size_t n = take_locked(r, items, max);
    pthread_mutex_unlock(&r->lock);
    return n;
}

void ring_close(struct ring *r)
{
    pthread_mutex_lock(&r->lock);
    r->closed = true;
    pthread_cond_broadcast(&r->filled);
    pthread_mutex_unlock(&r->lock);
}

size_t ring_len(struct ring *r)
{
    pthread_mutex_lock(&r->lock);
    size_t n = r->n;
    pthread_mutex_unlock(&r->lock);
    return n;
}
