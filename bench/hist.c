/* Log-linear histogram, see hist.h. */
#include "bench/hist.h"

#include <math.h>
#include <string.h>

void hist_clear(struct hist *h)
{
    memset(h, 0, sizeof(*h));
}

static unsigned slot_of(uint64_t ns)
{
    if (ns < (1U << HIST_STEP_BITS))
        return (unsigned)ns;
    unsigned shift = 63U - (unsigned)__builtin_clzll(ns) - HIST_STEP_BITS;
    return ((shift + 1U) << HIST_STEP_BITS) + (unsigned)((ns >> shift) & ((1U << HIST_STEP_BITS) - 1U));
}

static uint64_t slot_top(unsigned slot)
{
    unsigned power = slot >> HIST_STEP_BITS, step = slot & ((1U << HIST_STEP_BITS) - 1U);
    if (power == 0)
        return step;
    return ((((uint64_t)1 << HIST_STEP_BITS) + step + 1) << (power - 1U)) - 1;
}

void hist_add(struct hist *h, int64_t ns)
{
    uint64_t value = ns > 0 ? (uint64_t)ns : 0;
    h->slots[slot_of(value)]++;
    h->n++;
    if (value > h->max)
        h->max = value;
}

uint64_t hist_at(const struct hist *h, double q)
{
    uint64_t wanted = (uint64_t)ceil(q * (double)h->n), seen = 0;
    if (wanted == 0)
        wanted = 1;
    for (unsigned i = 0; i < HIST_SLOTS && h->n > 0; i++) {
        seen += h->slots[i];
        if (seen >= wanted)
            return slot_top(i) < h->max ? slot_top(i) : h->max;
    }
    return 0;
}
