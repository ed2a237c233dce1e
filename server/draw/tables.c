/* Tables of three or more: a bounded search in draw order, then swaps that reduce the remaining repeats. No
 * fast algorithm is known that always finds the optimum; `least` reports whether this result is proved
 * optimal. */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "server/draw/draw.h"

struct search {
    const struct srv_draw *draw;
    int n, large, small;  /* number of entrants; seats of the larger and of the smaller tables */
    int large_n, small_n; /* tables still to open, by size */
    int64_t looks;
    int32_t *next, *prev;  /* ring of the unseated entrants; n is its anchor */
    int32_t *meets;        /* per entrant: past meetings with entrants at the current table */
    int32_t *seated;       /* the entrant in each seat, table by table */
    int32_t *cursor;       /* per seat: the next candidate; for a first seat, the table sizes tried */
    int32_t *size, *first; /* by table */
    int64_t *cost;         /* per seat: repeats in all seats before it */
    int tables;
    void *memory;
};

static void count(struct search *s, int32_t who, int by)
{
    for (int32_t m = s->draw->met_at[who]; m < s->draw->met_at[who + 1]; m++)
        s->meets[s->draw->met[m]] += by;
}

static void seat(struct search *s, int at, int32_t who)
{
    s->seated[at] = who;
    s->cost[at + 1] = s->cost[at] + s->meets[who];
    s->next[s->prev[who]] = s->next[who];
    s->prev[s->next[who]] = s->prev[who];
    count(s, who, 1);
}

static int32_t unseat(struct search *s, int at)
{
    const int32_t who = s->seated[at];
    count(s, who, -1);
    s->next[s->prev[who]] = who;
    s->prev[s->next[who]] = who;
    return who;
}

/* Adds or removes the past meetings of a table. Only those of the current table count. */
static void count_table(struct search *s, int table, int seats, int by)
{
    for (int i = 0; i < seats; i++)
        count(s, s->seated[s->first[table] + i], by);
}

/* Opens the next table with the first unseated entrant, and tries a larger table before a smaller one. */
static bool open_table(struct search *s, int at)
{
    for (; s->cursor[at] < 2; s->cursor[at]++) {
        int *const left = s->cursor[at] == 0 ? &s->large_n : &s->small_n;
        if (*left == 0)
            continue;
        s->looks++;
        (*left)--;
        if (s->tables > 0)
            count_table(s, s->tables - 1, s->size[s->tables - 1], -1);
        s->size[s->tables] = s->cursor[at] == 0 ? s->large : s->small;
        s->first[s->tables++] = at;
        seat(s, at, s->next[s->n]);
        return true;
    }
    return false;
}

static void close_table(struct search *s, int at)
{
    (void)unseat(s, at);
    s->tables--;
    *(s->cursor[at] == 0 ? &s->large_n : &s->small_n) += 1;
    if (s->tables > 0)
        count_table(s, s->tables - 1, s->size[s->tables - 1], 1);
    s->cursor[at]++;
}

/* Seats the next candidate who keeps the total number of repeats at or below `most`. */
static bool fill_seat(struct search *s, int at, int64_t most)
{
    for (int32_t who = s->cursor[at]; who != s->n; who = s->next[who]) {
        s->looks++;
        if (s->cost[at] + s->meets[who] <= most) {
            seat(s, at, who);
            return true;
        }
    }
    return false;
}

static bool is_first(const struct search *s, int at)
{
    return s->tables == 0 || at == s->first[s->tables - 1] + s->size[s->tables - 1];
}

enum found { FOUND, NONE, BOUND };

static enum found search(struct search *s, int64_t most)
{
    int at = 0;
    s->cursor[0] = 0;
    while (at < s->n) {
        if (s->looks > SRV_DRAW_LOOKS)
            return BOUND;
        const bool first = is_first(s, at);
        if (first ? open_table(s, at) : fill_seat(s, at, most)) {
            at++;
            if (at < s->n)
                s->cursor[at] = is_first(s, at) ? 0 : s->next[s->seated[at - 1]];
            continue;
        }
        if (--at < 0)
            return NONE;
        if (at == s->first[s->tables - 1])
            close_table(s, at);
        else
            s->cursor[at] = s->next[unseat(s, at)];
    }
    return FOUND;
}

/* Unseats all entrants and restores their order. */
static void stand_up(struct search *s)
{
    const int tables = (s->n + s->draw->seats - 1) / s->draw->seats;
    s->small = s->n / tables;
    s->large = s->small + 1;
    s->large_n = s->n % tables;
    s->small_n = tables - s->large_n;
    s->tables = 0;
    memset(s->meets, 0, sizeof(*s->meets) * (size_t)(s->n + 1));
    for (int32_t i = 0; i <= s->n; i++) {
        s->next[i] = i == s->n ? 0 : i + 1;
        s->prev[i] = i == 0 ? s->n : i - 1;
    }
}

/* Gives each seat to the first entrant with the fewest repeats. The swaps start from this seating. */
static void seat_greedily(struct search *s)
{
    stand_up(s);
    for (int at = 0; at < s->n; at++) {
        s->cursor[at] = 0;
        if (is_first(s, at)) {
            (void)open_table(s, at);
            continue;
        }
        int32_t best = s->next[s->n];
        for (int32_t who = best; who != s->n && s->meets[best] > 0; who = s->next[who])
            if (s->meets[who] < s->meets[best])
                best = who;
        seat(s, at, best);
    }
}

static int table_at(const struct search *s, int at)
{
    int table = s->tables - 1;
    while (s->first[table] > at)
        table--;
    return table;
}

static int times(const struct srv_draw *draw, int32_t a, int32_t b)
{
    int low = draw->met_at[a], high = draw->met_at[a + 1], n = 0;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (draw->met[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < draw->met_at[a + 1] && draw->met[low] == b; low++)
        n++;
    return n;
}

/* How often `who` has met the entrants at a table, not counting seat `but`. */
static int meets_at(const struct search *s, int table, int but, int32_t who)
{
    int n = 0;
    for (int i = s->first[table]; i < s->first[table] + s->size[table]; i++)
        if (i != but)
            n += times(s->draw, who, s->seated[i]);
    return n;
}

/* By how much swapping two seats reduces the repeats. */
static int gain_of(const struct search *s, int a, int table_a, int b, int table_b)
{
    const int32_t x = s->seated[a], y = s->seated[b];
    return meets_at(s, table_a, a, x) + meets_at(s, table_b, b, y) - meets_at(s, table_a, a, y) -
           meets_at(s, table_b, b, x);
}

/* Makes the best swap of the first seat that has an improving one; false: no swap helps. */
static bool swap(struct search *s, int64_t *repeats)
{
    for (int a = 0; a < s->n; a++) {
        const int table_a = table_at(s, a);
        if (meets_at(s, table_a, a, s->seated[a]) == 0)
            continue;
        int best = 0, with = 0;
        for (int table = 0; table < s->tables; table++)
            for (int b = s->first[table]; table != table_a && b < s->first[table] + s->size[table]; b++) {
                const int gain = gain_of(s, a, table_a, b, table);
                if (gain > best) {
                    best = gain;
                    with = b;
                }
            }
        if (best > 0) {
            const int32_t kept = s->seated[a];
            s->seated[a] = s->seated[with];
            s->seated[with] = kept;
            *repeats -= best;
            return true;
        }
    }
    return false;
}

static int64_t seated_repeats(const struct search *s)
{
    int64_t twice = 0;
    for (int table = 0; table < s->tables; table++)
        for (int i = s->first[table]; i < s->first[table] + s->size[table]; i++)
            twice += meets_at(s, table, i, s->seated[i]);
    return twice / 2;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A lower bound of the repeats: each entrant shares a table with at least small - 1 others, at best those
 * they have met least often. */
static int64_t floor_of(struct search *s)
{
    int64_t twice = 0;
    for (int32_t i = 0; i < s->n; i++) {
        memset(s->meets, 0, sizeof(*s->meets) * (size_t)(s->n + 1));
        count(s, i, 1);
        s->meets[i] = INT32_MAX;
        int zeros = 0;
        for (int32_t j = 0; j < s->n; j++)
            zeros += s->meets[j] == 0;
        if (zeros >= s->small - 1)
            continue;
        qsort(s->meets, (size_t)s->n, sizeof(*s->meets), ascending);
        for (int j = 0; j < s->small - 1; j++)
            twice += s->meets[j];
    }
    return (twice + 1) / 2;
}

static bool make(struct search *s, const struct srv_draw *draw)
{
    const size_t n = (size_t)draw->n + 1;
    int64_t *memory = calloc(n, sizeof(int64_t) + 7 * sizeof(int32_t));
    if (!memory)
        return false;
    *s = (struct search){.draw = draw, .n = draw->n, .cost = memory, .memory = memory};
    int32_t **const parts[] = {&s->next, &s->prev, &s->meets, &s->seated, &s->cursor, &s->size, &s->first};
    int32_t *at = (int32_t *)(memory + n);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++, at += n)
        *parts[i] = at;
    return true;
}

/* Writes larger tables first, otherwise in the order in which they were opened. Within a table, entrants
 * are in draw order, as the search seats them. */
static void take(struct search *s, struct srv_drawn *drawn)
{
    int at = 0;
    for (int size = s->large; size >= s->small; size--)
        for (int table = 0; table < s->tables; table++) {
            if (s->size[table] != size)
                continue;
            int32_t *seats = s->seated + s->first[table];
            qsort(seats, (size_t)size, sizeof(*seats), ascending);
            for (int i = 0; i < size; i++)
                drawn->order[at++] = s->draw->entry[seats[i]];
        }
    ASSERT(at == s->n);
}

bool srv_draw_tables(const struct srv_draw *draw, struct srv_drawn *drawn)
{
    struct search s;
    if (!make(&s, draw))
        return false;
    stand_up(&s);
    int64_t fewest = floor_of(&s);
    enum found found = NONE;
    for (; found == NONE; fewest += found == NONE) {
        stand_up(&s);
        found = search(&s, fewest);
    }
    drawn->repeats = fewest;
    if (found == BOUND) {
        seat_greedily(&s);
        drawn->repeats = seated_repeats(&s);
        for (int n = 0; n < SRV_DRAW_SWAPS_MAX && drawn->repeats > fewest && swap(&s, &drawn->repeats); n++)
            ;
    }
    drawn->least = drawn->repeats == fewest;
    take(&s, drawn);
    free(s.memory);
    return true;
}
