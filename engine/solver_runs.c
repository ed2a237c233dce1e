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
    bool tracing;
    solver_lanes row; /* filling: the row of mask */
    int target;       /* tracing: this sum with exactly trace_jokers */
    int trace_jokers;
    struct solver_run found;
};

struct partial {
    unsigned slots;
    int low, high, naturals, jokers, weight;
};

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* How many jokers fit at the two ends. */
static int ends_max(const struct solver *s, const struct partial *p)
{
    const struct solver_rules *r = s->rules;
    int below = p->low - r->place_low, above = r->place_high - p->high;
    int most = lesser(s->run_jokers_max, r->joker_excess_max + p->naturals) - p->jokers;

    if (!r->jokers_adjacent) {
        below = lesser(below, 1);
        above = lesser(above, 1);
    }
    return lesser(lesser(most, below + above), r->run_max - (p->high - p->low + 1));
}

/* Puts `extra` jokers, that fit, at the two ends where they are worth most; returns the low end. */
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
    ASSERT(best_low >= 0);
    return best_low;
}

/* Is the run as it stands, with so many jokers more at its ends, the one that is looked for? */
static bool walk_found(struct walk *w, const struct partial *p, const int16_t *rest, int extra)
{
    const struct solver *s = w->s;
    int jokers = p->jokers + extra, worth, low = place_ends(s, p, extra, &worth);
    int sum = p->weight + jokers * s->goal->joker_weight + worth * s->goal->worth_factor;

    if (jokers > w->trace_jokers || sum + rest[w->trace_jokers - jokers] != w->target)
        return false;
    w->found = (struct solver_run){.slots = (uint16_t)p->slots,
                                   .low = (uint8_t)low,
                                   .n = (uint8_t)(p->high - p->low + 1 + extra),
                                   .jokers = (uint8_t)jokers,
                                   .ace_high = w->step < 0};
    return true;
}

/* The row, or what the run brings with `extra` to `most` jokers more at its ends, if that is more. */
static inline solver_lanes with_run(const struct solver *s, const struct partial *p, const int16_t *rest,
                                    int extra, int most, solver_lanes row)
{
    int joker = s->goal->joker_weight, factor = s->goal->worth_factor, worth = 0;
    int sum = p->weight + (p->jokers + extra) * joker;

    for (; extra <= most; extra++, sum += joker) {
        if (factor != 0)
            (void)place_ends(s, p, extra, &worth);
        solver_lanes lanes = solver_lanes_after(rest, p->jokers + extra) + (int16_t)(sum + worth * factor);
        row = solver_lanes_most(row, lanes);
    }
    return row;
}

/* Takes the run as it stands, with 0.. jokers more at its ends, into the row (or compares it
 * with the sum looked for). Returns true when a trace has found what it looked for. */
static bool walk_emit(struct walk *w, const struct partial *p)
{
    struct solver *s = w->s;
    int length = p->high - p->low + 1, extra = length < 3 ? 3 - length : 0, most = ends_max(s, p);

    if (extra > most)
        return false;
    const int16_t *rest = solver_runs_row(s, w->u, w->mask & ~p->slots);
    if (w->tracing) {
        while (extra <= most && !walk_found(w, p, rest, extra))
            extra++;
        return extra <= most;
    }
    w->row = with_run(s, p, rest, extra, most, w->row);
    return false;
}

/* Emits the partial run and every longer one that begins with it. */
static bool walk_on(struct walk *w, struct partial p)
{
    const struct solver *s = w->s;
    const struct solver_rules *r = s->rules;
    /* jokers since the last natural: worth a thought only when one follows */
    int pending = 0, place = w->step > 0 ? p.high + 1 : p.low - 1;

    if (walk_emit(w, &p))
        return true;
    for (; place >= r->place_low && place <= r->place_high; place += w->step) {
        unsigned natural = w->mask & ~p.slots & w->u->at[place];
        if (natural && (w->step > 0 || place > 0)) {
            struct partial next = p;
            next.slots |= natural & -natural;
            next.naturals++;
            next.jokers += pending;
            next.weight += w->u->weight[__builtin_ctz(natural)];
            next.low = w->step > 0 ? p.low : place;
            next.high = w->step > 0 ? place : p.high;
            if (w->u->skips >> place & 1) {
                if (walk_on(w, next))
                    return true;
            } else { /* the one way on */
                p = next;
                pending = 0;
                if (walk_emit(w, &p))
                    return true;
                continue;
            }
        }
        pending++;
        if (p.jokers + pending > s->run_jokers_max || (pending > 1 && !r->jokers_adjacent))
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
        if (walk_on(w, p))
            return true;
    }
    if (rank == 0 && r->place_high == SOLVER_PLACES - 1) {
        p.low = p.high = SOLVER_PLACES - 1;
        w->step = -1;
        return walk_on(w, p);
    }
    return false;
}

/* The mask without its lowest card and that card's twin: what using the twin gives, using the
 * card gives as well. */
static unsigned without_lowest(const struct solver_suit *u, unsigned mask)
{
    return mask & ~(unsigned)u->at[u->rank[__builtin_ctz(mask)]];
}

/* The same as walk_lowest where there is one way on only: no ace, and no joker where a card is at hand. */
static solver_lanes plain_runs(struct solver *s, struct solver_suit *u, unsigned mask, solver_lanes row)
{
    int slot = __builtin_ctz(mask), place = u->rank[slot];
    struct partial p = {.low = place, .high = place - 1};

    for (unsigned above = mask;;) {
        p.slots |= 1u << slot;
        p.weight += u->weight[slot];
        p.naturals++;
        p.jokers += place - p.high - 1;
        p.high = place;
        int length = place - p.low + 1, extra = length < 3 ? 3 - length : 0, most = ends_max(s, &p);
        if (extra <= most)
            row = with_run(s, &p, solver_runs_row(s, u, mask & ~p.slots), extra, most, row);
        above &= ~(unsigned)u->at[place];
        if (above == 0)
            return row;
        slot = __builtin_ctz(above);
        place = u->rank[slot];
        int gaps = place - p.high - 1;
        if (p.jokers + gaps > s->run_jokers_max || (gaps > 1 && !s->rules->jokers_adjacent))
            return row;
    }
}

static solver_lanes all_runs(struct solver *s, struct solver_suit *u, unsigned mask, solver_lanes row)
{
    if (u->skips == 0 && u->rank[__builtin_ctz(mask)] > 0)
        return plain_runs(s, u, mask, row);
    struct walk w = {.s = s, .u = u, .mask = mask, .row = row};
    (void)walk_lowest(&w);
    return w.row;
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
    solver_lanes all = solver_lanes_at(solver_runs_row(s, u, without_lowest(u, mask)));
    all = all_runs(s, u, mask, all);
    memcpy(row, &all, s->row_n * sizeof *row);
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
        struct walk w = {
            .s = s, .u = u, .mask = mask, .tracing = true, .target = target, .trace_jokers = jokers};
        if (!walk_lowest(&w))
            BUG("a sum of runs that cannot be traced");
        runs[n++] = w.found;
        mask &= ~(unsigned)w.found.slots;
        jokers -= w.found.jokers;
    }
    return n;
}
