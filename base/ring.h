/* Bounded queue of pointers between threads: many producers, any consumer. It never grows; when it is full,
 * callers get back-pressure. The hub, the journal, and the REST loops pass all items to each other through
 * such queues. */
#ifndef RUMMYD_BASE_RING_H
#define RUMMYD_BASE_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    void **slots;
    size_t n_max, head, n;
    bool closed;
};

/* Returns 0, or -1 if out of memory. n_max: number of slots, at least 1. */
int ring_init(struct ring *r, size_t n_max);
void ring_free(struct ring *r);
/* false: full or closed; the caller keeps the item. */
bool ring_push(struct ring *r, void *item);
/* Takes up to max items without waiting; returns how many. */
size_t ring_take(struct ring *r, void **items, size_t max);
/* Waits until an item is available; returns 0 only when closed and drained. */
size_t ring_take_wait(struct ring *r, void **items, size_t max);
/* Prevents further pushes and wakes waiting threads. */
void ring_close(struct ring *r);
size_t ring_len(struct ring *r);

#endif
