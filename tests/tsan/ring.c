/* Many threads through one ring, under ThreadSanitizer (Criterion cannot run under it). Every accepted item
 * must come out once, and the ring must never exceed its capacity. `make tsan` runs it. */
#include "base/ring.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PRODUCERS = 4, CONSUMERS = 3, ITEMS = 20000, SLOTS = 64, TAKE_MAX = 16 };

static struct ring ring;
static atomic_uint_fast64_t sum_in, sum_out, n_out, refused;

static void *produce(void *arg)
{
    const uintptr_t first = (uintptr_t)arg * ITEMS + 1;
    for (uintptr_t item = first; item < first + ITEMS; item++) {
        /* An item is a number stored in a pointer. */
        while (!ring_push(&ring, (void *)item)) { // NOLINT(performance-no-int-to-ptr)
            atomic_fetch_add(&refused, 1);
        }
        atomic_fetch_add(&sum_in, item);
    }
    return NULL;
}

static void *consume(void *arg)
{
    (void)arg;
    void *items[TAKE_MAX];
    for (size_t n; (n = ring_take_wait(&ring, items, TAKE_MAX)) > 0;) {
        for (size_t i = 0; i < n; i++)
            atomic_fetch_add(&sum_out, (uintptr_t)items[i]);
        atomic_fetch_add(&n_out, n);
        if (ring_len(&ring) > SLOTS)
            abort();
    }
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    if (ring_init(&ring, SLOTS) != 0)
        return 1;
    for (uintptr_t i = 0; i < CONSUMERS; i++)
        if (pthread_create(&consumers[i], NULL, consume, NULL) != 0)
            return 1;
    for (uintptr_t i = 0; i < PRODUCERS; i++)
        if (pthread_create(&producers[i], NULL, produce, (void *)i) != 0) // NOLINT(performance-no-int-to-ptr)
            return 1;
    for (int i = 0; i < PRODUCERS; i++)
        (void)pthread_join(producers[i], NULL);
    ring_close(&ring);
    for (int i = 0; i < CONSUMERS; i++)
        (void)pthread_join(consumers[i], NULL);
    ring_free(&ring);
    const bool ok = n_out == PRODUCERS * ITEMS && sum_in == sum_out && refused > 0;
    printf("%s: %d items through %d slots, %llu pushes found it full\n", ok ? "ok" : "FAIL",
           PRODUCERS * ITEMS, SLOTS, (unsigned long long)refused);
    return ok ? 0 : 1;
}
