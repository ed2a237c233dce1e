/* The best runs of one suit: a table over the subsets of its cards, filled only where asked.
 *
 * The lowest card of a subset is either left over or in a run; all runs that hold it are
 * walked place by place, taking the natural card or a joker. Called by solver.c. */
#include "engine/solver_in.h"

#include "base/bug.h"

/* The run under construction holds `slots`, its naturals reach from `low` to `high`. */
struct walk {
    struct solver *s;
    struct solver_suit *u;
    unsigned mask; /* what the run may take from */
    int step;      /* +1 upwards from the lowest card, -1 downwards from a high ace */
    int16_t *row;  /* filling: the row of mask */
    int target;    /* tracing: this sum with exactly trace_jokers; row is NULL */
    int trace_jokers;
    struct solver_run found;
};

struct partial {
    unsigned slots;
    int low, high, naturals, jokers, weight;
};

/* Puts `extra` jokers at the two ends where they are worth most; returns the low end or -1. */
static int place_ends(const struct solver *s, const struct partial *p, int extra, int *worth)
{
    const struct solver_rules *r = s->rules;
    int end_max = r->jokers_adjacent ? extra : 1, best_low = -1;

    *worth = -1;
    for (int below = 0; below <= extra && below <= end_max; below++) {
        int low = p->low - below, high = p->high + extra - below;
        if (low < r->place_low)
            break;
        if (high > r->place_high || extra - below > end_max)
            continue;
        int w = s->worth_below[high + 1] - s->worth_below[low];
        if (w > *worth) {
            *worth = w;
            best_low = low;
        }
    }
    return best_low;
}

/* Takes the run as it stands, with 0.. jokers more at its ends, into the row (or compares it
 * with the sum looked for). Returns true when a trace has found what it looked for. */
static bool walk_emit(struct walk *w, const struct partial *p)
{
    struct solver *s = w->s;
    const struct solver_rules *r = s->rules;
    int length = p->high - p->low + 1, least = length < 3 ? 3 - length : 0;

    if (p->jokers + least > s->run_jokers_max)
        return false;
    const int16_t *rest = solver_runs_row(s, w->u, w->mask & ~p->slots);
    for (int extra = least; p->jokers + extra <= s->run_jokers_max; extra++) {
        int jokers = p->jokers + extra, worth;
        if (jokers - p->naturals > r->joker_excess_max || length + extra > r->run_max)
            break;
        int low = place_ends(s, p, extra, &worth);
        if (low < 0)
            break;
        int sum = p->weight + jokers * s->goal->joker_weight + worth * s->goal->worth_factor;
        if (w->row) {
            for (int j = jokers; j < s->row_n; j++) {
                if (sum + rest[j - jokers] > w->row[j])
                    w->row[j] = (int16_t)(sum + rest[j - jokers]);
            }
        } else if (jokers <= w->trace_jokers && sum + rest[w->trace_jokers - jokers] == w->target) {
            w->found = (struct solver_run){.slots = (uint16_t)p->slots,
                                           .low = (uint8_t)low,
                                           .n = (uint8_t)(length + extra),
                                           .jokers = (uint8_t)jokers,
                                           .ace_high = w->step < 0};
            return true;
        }
    }
    return false;
}

/* Emits the partial run and every longer one that begins with it. */
static bool walk_on(struct walk *w, const struct partial *p)
{
    const struct solver *s = w->s;
    const struct solver_rules *r = s->rules;

    if (walk_emit(w, p))
        return true;
    int pending = 0; /* jokers since the last natural: worth a thought only when one follows */
    for (int place = w->step > 0 ? p->high + 1 : p->low - 1; place >= r->place_low && place <= r->place_high;
         place += w->step) {
        unsigned natural = w->mask & ~p->slots & w->u->at[place];
        if (natural && (w->step > 0 || place > 0)) {
            struct partial next = *p;
            int slot = __builtin_ctz(natural);
            next.slots |= natural & -natural;
            next.naturals++;
            next.jokers += pending;
            next.weight += w->u->weight[slot];
            if (w->step > 0)
                next.high = place;
            else
                next.low = place;
            if (walk_on(w, &next))
                return true;
            if ((w->u->skips >> place & 1) == 0)
                return false;
        }
        pending++;
        if (p->jokers + pending > s->run_jokers_max || (pending > 1 && !r->jokers_adjacent))
            return false;
    }
    return false;
}

/* All runs that hold the lowest card of the mask. */
static bool walk_lowest(struct walk *w)
{
    const struct solver_rules *r = w->s->rules;
    int slot = __builtin_ctz(w->mask), rank = w->u->rank[slot];
    struct partial p = {
        .slots = 1u << slot, .low = rank, .high = rank, .naturals = 1, .weight = w->u->weight[slot]};

    if (rank > 0 || r->place_low == 0) {
        w->step = 1;
        if (walk_on(w, &p))
            return true;
    }
    if (rank == 0 && r->place_high == SOLVER_PLACES - 1) {
        p.low = p.high = SOLVER_PLACES - 1;
        w->step = -1;
        return walk_on(w, &p);
    }
    return false;
}

/* The mask without its lowest card and that card's twin: what using the twin gives, using the
 * card gives as well. */
static unsigned without_lowest(const struct solver_suit *u, unsigned mask)
{
    return mask & ~(unsigned)u->at[u->rank[__builtin_ctz(mask)]];
}

const int16_t *solver_runs_row(struct solver *s, struct solver_suit *u, unsigned mask)
{
    int16_t *row = u->rows + mask * s->row_n;

    if (row[0] >= 0)
        return row;
    ASSERT(mask < 1u << u->n);
    if (mask == 0) {
        for (int j = 0; j < s->row_n; j++)
            row[j] = 0;
        return row;
    }
    int16_t fill[SOLVER_ROW_MAX] = {0};
    const int16_t *skip = solver_runs_row(s, u, without_lowest(u, mask));
    for (int j = 0; j < s->row_n; j++)
        fill[j] = skip[j];
    struct walk w = {.s = s, .u = u, .mask = mask, .row = fill};
    walk_lowest(&w);
    for (int j = 0; j < s->row_n; j++)
        row[j] = fill[j];
    ASSERT(row[0] >= 0);
    return row;
}

int solver_runs_trace(struct solver *s, struct solver_suit *u, unsigned mask, int jokers,
                      struct solver_run runs[SOLVER_GROUPS_MAX])
{
    int n = 0;

    ASSERT(jokers < s->row_n);
    while (mask && n < SOLVER_GROUPS_MAX) { /* five runs are all that 15 cards hold */
        int target = solver_runs_row(s, u, mask)[jokers];
        if (target == 0)
            break;
        unsigned rest = without_lowest(u, mask);
        if (solver_runs_row(s, u, rest)[jokers] == target) {
            mask = rest;
            continue;
        }
        struct walk w = {.s = s, .u = u, .mask = mask, .target = target, .trace_jokers = jokers};
        if (!walk_lowest(&w))
            BUG("a sum of runs that cannot be traced");
        runs[n++] = w.found;
        mask &= ~(unsigned)w.found.slots;
        jokers -= w.found.jokers;
    }
    return n;
}
