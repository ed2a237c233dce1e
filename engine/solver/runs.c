/* Finds the best runs of one suit with a table over the subsets of its cards, filled on demand.
 *
 * The lowest card of a subset is either left over or in a run. All runs with it are enumerated place by
 * place, using the natural card or a joker. An ace counts as the highest card, but runs may also begin with
 * an ace at place 0. Called by solver.c. */
#include "engine/solver/solver_in.h"

#include "base/bug.h"

/* A run being built: it uses `slots`, and its natural cards span `low` to `high`. */
struct partial {
    unsigned slots;
    int low, high, naturals;
    int gain; /* sum of the naturals minus that of jokers in their places */
};

struct walk {
    struct eng_solver *s;
    struct eng_solver_suit *u;
    unsigned mask; /* slots that the run may use */
    bool tracing;
    solver_lanes row; /* filling: the row of mask */
    int target;       /* tracing: the sum to find, with exactly trace_jokers */
    int trace_jokers;
    struct eng_solver_run found;
};

static inline int lesser(int a, int b)
{
    return a < b ? a : b;
}

static inline int jokers_in(const struct partial *p)
{
    return p->high - p->low + 1 - p->naturals;
}

/* Minimum number of jokers at the two ends together. */
static inline int ends_min(const struct partial *p)
{
    int length = p->high - p->low + 1;
    return length < 3 ? 3 - length : 0;
}

/* Maximum number of jokers at the two ends together. */
static inline int ends_max(const struct eng_solver *s, const struct partial *p)
{
    const struct eng_solver_rules *r = s->rules;
    int most = lesser(s->run_jokers_max, r->joker_excess_max + p->naturals) - jokers_in(p);

    most = lesser(most, s->run_max - (p->high - p->low + 1));
    if (!r->jokers_adjacent)
        most = lesser(most, (p->low > r->place_low) + (p->high < r->place_high));
    return most;
}

/* The low end if `extra` jokers, which must fit, are placed at the two ends where they are worth most. */
static int low_end_of(const struct eng_solver *s, const struct partial *p, int above, int extra)
{
    int best_low = -1, best = -1;

    for (; above >= 0 && extra - above <= s->end_max; above--) {
        int low = p->low - (extra - above), worth;
        if (low < s->rules->place_low)
            break;
        worth = s->joined[p->high + above + 1] - s->joined[low];
        if (worth > best) {
            best = worth;
            best_low = low;
        }
    }
    ASSERT(best_low >= 0);
    return best_low;
}

static inline int low_end(const struct eng_solver *s, const struct partial *p, int extra)
{
    int above = lesser(extra, lesser(s->end_max, s->rules->place_high - p->high));

    return p->low - extra >= s->rises_from || extra == 0 ? p->low - (extra - above)
                                                         : low_end_of(s, p, above, extra);
}

/* The run's sum with this many jokers at its ends. */
static inline int sum_with(const struct eng_solver *s, const struct partial *p, int extra)
{
    int low = low_end(s, p, extra);
    return p->gain + s->joined[low + p->high - p->low + 1 + extra] - s->joined[low];
}

/* The maximum of the row and of the run's sums with `extra` to `most` jokers at its ends. after: sums of
 * the remaining cards if the run's jokers, including `extra`, are used. */
static solver_lanes with_ends(const struct eng_solver *s, const struct partial *p, int extra, int most,
                              solver_lanes after, solver_lanes row)
{
    for (; extra <= most; extra++, after = solver_lanes_slid(after))
        row = solver_lanes_most(row, after + (int16_t)sum_with(s, p, extra));
    return row;
}

static inline solver_lanes with_run(const struct eng_solver *s, const struct partial *p, int extra, int most,
                                    const int16_t *rest, solver_lanes row)
{
    solver_lanes after = solver_lanes_at(rest);
    const int32_t *above = s->joined + p->high + 1;
    int base = p->gain - s->joined[p->low];

    for (int jokers = jokers_in(p) + extra; jokers > 0; jokers--)
        after = solver_lanes_slid(after);
    if (p->low - most < s->rises_from || most > lesser(s->end_max, s->rules->place_high - p->high))
        return with_ends(s, p, extra, most, after, row);
    /* Jokers are worth most at the high end. */
    for (; extra <= most; extra++, after = solver_lanes_slid(after))
        row = solver_lanes_most(row, after + (int16_t)(base + above[extra]));
    return row;
}

/* Whether the run, with jokers at its ends, has the sum to find. */
static bool walk_found(struct walk *w, const struct partial *p, int extra, int most, const int16_t *rest)
{
    for (; extra <= most; extra++) {
        int jokers = jokers_in(p) + extra;
        if (jokers > w->trace_jokers)
            return false;
        if (sum_with(w->s, p, extra) + rest[w->trace_jokers - jokers] != w->target)
            continue;
        w->found = (struct eng_solver_run){.slots = (uint16_t)p->slots,
                                           .low = (uint8_t)low_end(w->s, p, extra),
                                           .n = (uint8_t)(p->high - p->low + 1 + extra),
                                           .jokers = (uint8_t)jokers,
                                           .ace_low = p->low == 0,
                                           .ace_high = p->high == SOLVER_PLACES - 1};
        return true;
    }
    return false;
}

/* Adds the run in its current form to the row, or compares it with the sum to find. Returns true if a trace
 * has found it. */
static bool walk_emit(struct walk *w, const struct partial *p)
{
    int extra = ends_min(p), most = ends_max(w->s, p);

    if (extra > most)
        return false;
    const int16_t *rest = solver_runs_row(w->s, w->u, w->mask & ~p->slots);
    if (w->tracing)
        return walk_found(w, p, extra, most, rest);
    w->row = with_run(w->s, p, extra, most, rest, w->row);
    return false;
}

/* Adds the lowest card of `natural` at a place above the others. */
static inline void take(const struct eng_solver_suit *u, struct partial *p, unsigned natural, int place)
{
    p->slots |= natural & -natural;
    p->gain += u->gain[__builtin_ctz(natural)];
    p->naturals++;
    p->high = place;
}

/* Emits the partial run and every longer one that begins with it. */
static bool walk_on(struct walk *w, struct partial p)
{
    const struct eng_solver *s = w->s;
    const struct eng_solver_rules *r = s->rules;
    int before = jokers_in(&p), pending = 0; /* jokers since the last natural: useful only if one follows */

    if (walk_emit(w, &p))
        return true;
    for (int place = p.high + 1, end = lesser(r->place_high, p.low + s->span_max - 1); place <= end;
         place++) {
        unsigned natural = w->mask & ~p.slots & w->u->at[place];
        if (natural && w->u->skips >> place & 1) {
            struct partial next = p;
            take(w->u, &next, natural, place);
            if (walk_on(w, next))
                return true;
        } else if (natural) { /* the only way to continue */
            take(w->u, &p, natural, place);
            before += pending;
            pending = 0;
            if (walk_emit(w, &p))
                return true;
            continue;
        }
        pending++;
        if (before + pending > s->run_jokers_max || (pending > 1 && !r->jokers_adjacent))
            return false;
    }
    return false;
}

/* Enumerates all runs with the lowest card of the mask. */
static bool walk_lowest(struct walk *w)
{
    unsigned aces = w->mask & w->u->at[0];
    struct partial p = {0};
    int slot = __builtin_ctz(w->mask), place = w->u->place[slot];

    p.low = place;
    take(w->u, &p, 1u << slot, place);
    if (walk_on(w, p))
        return true;
    if (aces == 0 || !w->s->ace_twofold)
        return false;
    p = (struct partial){0};
    take(w->u, &p, aces, 0);
    return walk_on(w, p);
}

/* The mask without its lowest card and that card's twin, because using the twin is equivalent. */
static unsigned without_lowest(const struct eng_solver_suit *u, unsigned mask)
{
    return mask & ~(unsigned)u->at[u->place[__builtin_ctz(mask)]];
}

/* The same as walk_lowest if jokers never replace available cards, so that there is only one way to
 * continue. aces: if not 0, one of these aces begins the run at place 0. */
static solver_lanes plain_runs(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask, unsigned aces,
                               solver_lanes row)
{
    struct partial p = {0};
    unsigned above = mask;

    if (aces != 0) {
        take(u, &p, aces, 0);
        above &= ~p.slots;
    } else {
        p.low = u->place[__builtin_ctz(mask)];
        p.high = p.low - 1;
    }
    while (above != 0) {
        int place = u->place[__builtin_ctz(above)], gaps = place - p.high - 1;
        if (place - p.low >= s->span_max)
            break;
        if (gaps > 0 &&
            (jokers_in(&p) + gaps > s->run_jokers_max || (gaps > 1 && !s->rules->jokers_adjacent)))
            break;
        take(u, &p, above, place);
        above &= ~(unsigned)u->at[place];
        int extra = ends_min(&p), most = ends_max(s, &p);
        if (extra <= most)
            row = with_run(s, &p, extra, most, solver_runs_row(s, u, mask & ~p.slots), row);
    }
    return row;
}

/* Whether runs of these cards may have to skip a place, using a joker there. */
static inline bool must_skip(const struct eng_solver *s, const struct eng_solver_suit *u, unsigned mask)
{
    return s->skips == SOLVER_SKIPS_ANYWHERE ||
           (s->skips == SOLVER_SKIPS_NEAR_TWINS && (mask & mask >> 1 & u->twins) != 0);
}

static solver_lanes all_runs(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask, solver_lanes row)
{
    int low = u->place[__builtin_ctz(mask)];
    unsigned aces = mask & u->at[0];

    if (must_skip(s, u, mask) || (mask == aces && s->ace_twofold)) {
        struct walk w = {.s = s, .u = u, .mask = mask, .row = row};
        (void)walk_lowest(&w);
        return w.row;
    }
    row = plain_runs(s, u, mask, 0, row);
    if (aces != 0 && s->ace_twofold && low - 1 <= s->run_jokers_max)
        row = plain_runs(s, u, mask, aces, row);
    return row;
}

const int16_t *eng_solver_runs_fill(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask)
{
    int16_t *row = u->rows + mask * s->row_n;
    solver_lanes all;

    ASSERT(mask != 0 && mask < 1u << u->n);
    all = all_runs(s, u, mask, solver_lanes_at(solver_runs_row(s, u, without_lowest(u, mask))));
    all = (all & s->lanes_used) | (solver_lanes_at(row) & ~s->lanes_used); /* keeps the rows that follow */
    memcpy(row, &all, sizeof all);
    ASSERT(row[0] >= 0);
    return row;
}

int eng_solver_runs_trace(struct eng_solver *s, struct eng_solver_suit *u, unsigned mask, int jokers,
                          struct eng_solver_run runs[SOLVER_GROUPS_MAX])
{
    int n = 0;

    ASSERT(jokers < s->row_n);
    while (mask && n < SOLVER_GROUPS_MAX) { /* 15 cards hold at most five runs */
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
