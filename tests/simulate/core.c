/* Time, events, and randomness of the simulated world; see sim.h. */
#include "tests/simulate/sim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
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

int64_t sim_now;
uint64_t sim_seed, sim_steps;
bool sim_tracing;
struct sim_dice sim_net, sim_people, sim_secrets;

static struct event *heap;
static size_t heap_n, heap_cap;
static uint64_t put_n;

/* ---- Randomness ---- */
uint64_t sim_roll(struct sim_dice *dice)
{
    uint64_t z = (dice->state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

struct sim_dice sim_dice_of(uint64_t seed, uint64_t stream)
{
    struct sim_dice dice = {.state = seed * 0xD1342543DE82EF95ULL + stream};
    (void)sim_roll(&dice);
    return dice;
}

int64_t sim_between(struct sim_dice *dice, int64_t least, int64_t most)
{
    ASSERT(most >= least);
    return least + (int64_t)(sim_roll(dice) % (uint64_t)(most - least + 1));
}

bool sim_chance(struct sim_dice *dice, int per_mille)
{
    return sim_between(dice, 0, 999) < per_mille;
}

/* ---- Events: a heap ---- */
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

bool sim_step(int64_t until_us)
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
            sim_as(event.node, event.fn, event.arg, event.number);
        else
            event.fn(event.arg, event.number);
        return true;
    }
    sim_now = until_us;
    return false;
}

void sim_begin(uint64_t seed)
{
    sim_seed = seed;
    sim_net = sim_dice_of(seed, 1);
    sim_people = sim_dice_of(seed, 2);
    sim_secrets = sim_dice_of(seed, 3);
}

/* ---- Output ---- */
static void say_time(FILE *out)
{
    (void)fprintf(out, "%11.6f  ", (double)sim_now / (double)SIM_S);
}

void sim_trace(const char *format, ...)
{
    if (!sim_tracing)
        return;
    va_list args;
    va_start(args, format);
    say_time(stdout);
    (void)vprintf(format, args);
    (void)putchar('\n');
    va_end(args);
}

void sim_broken(const char *promise, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_time(stderr);
    (void)fprintf(stderr, "broken: %s: ", promise);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    (void)fflush(stdout);
    (void)fflush(stderr);
    _Exit(3);
}
