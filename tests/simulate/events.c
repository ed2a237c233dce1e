/* Events of the simulated world, in a heap; see sim.h. */
#include "tests/simulate/sim.h"

#include <stdlib.h>

#include "base/bug.h"

enum { EVENTS_MAX = 1 << 20 };

struct event {
    int64_t at_us;
    uint64_t nth; /* events at the same time run in insertion order */
    sim_fn *fn;
    void *arg;
    int64_t number;
    struct sim_node *node;
    uint32_t life;
};

uint64_t sim_steps;

static struct event *heap;
static size_t heap_n, heap_cap;
static uint64_t put_n;

static bool before(const struct event *a, const struct event *b)
{
    return a->at_us < b->at_us || (a->at_us == b->at_us && a->nth < b->nth);
}

static void put(struct event event)
{
    if (heap_n == heap_cap) {
        heap_cap = heap_cap ? 2 * heap_cap : 1024;
        ASSERT(heap_cap <= EVENTS_MAX);
        heap = realloc(heap, heap_cap * sizeof(*heap));
        ASSERT(heap);
    }
    size_t i = heap_n++;
    while (i > 0 && before(&event, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = event;
}

static struct event take(void)
{
    struct event first = heap[0], last = heap[--heap_n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= heap_n)
            break;
        if (child + 1 < heap_n && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

void sim_at(int64_t when_us, struct sim_node *node, sim_fn *fn, void *arg, int64_t number)
{
    put((struct event){.at_us = when_us < sim_now ? sim_now : when_us,
                       .nth = put_n++,
                       .fn = fn,
                       .arg = arg,
                       .number = number,
                       .node = node,
                       .life = node ? sim_node_life(node) : 0});
}

void sim_after(int64_t us, struct sim_node *node, sim_fn *fn, void *arg, int64_t number)
{
    sim_at(sim_now + us, node, fn, arg, number);
}

bool sim_step(int64_t until_us, sim_as_fn *as)
{
    while (heap_n > 0 && heap[0].at_us <= until_us) {
        struct event event = take();
        sim_now = event.at_us;
        if (event.node && event.life != sim_node_life(event.node))
            continue;
        if (event.node && sim_node_frozen_until(event.node) > sim_now) {
            event.at_us = sim_node_frozen_until(event.node);
            put(event);
            continue;
        }
        sim_steps++;
        if (event.node)
            as(event.node, event.fn, event.arg, event.number);
        else
            event.fn(event.arg, event.number);
        return true;
    }
    sim_now = until_us;
    return false;
}
