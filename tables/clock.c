/* Binary heap of deadlines; see clock.h. Hub thread. */
#include "tables/clock.h"

#include <stdlib.h>

#include "base/bug.h"

bool tab_clock_init(struct tab_clock *clock, size_t n_max)
{
    ASSERT(n_max > 0);
    *clock = (struct tab_clock){.n_max = n_max};
    clock->heap = calloc(n_max, sizeof(struct tab_deadline *));
    return clock->heap != NULL;
}

void tab_clock_free(struct tab_clock *clock)
{
    free(clock->heap);
    *clock = (struct tab_clock){0};
}

static void put(struct tab_clock *clock, size_t i, struct tab_deadline *deadline)
{
    clock->heap[i] = deadline;
    deadline->place = i + 1;
}

static void sift_up(struct tab_clock *clock, size_t i)
{
    struct tab_deadline *moved = clock->heap[i];
    while (i > 0 && clock->heap[(i - 1) / 2]->at_ms > moved->at_ms) {
        put(clock, i, clock->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(clock, i, moved);
}

static void sift_down(struct tab_clock *clock, size_t i)
{
    struct tab_deadline *moved = clock->heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= clock->n)
            break;
        if (child + 1 < clock->n && clock->heap[child + 1]->at_ms < clock->heap[child]->at_ms)
            child++;
        if (clock->heap[child]->at_ms >= moved->at_ms)
            break;
        put(clock, i, clock->heap[child]);
        i = child;
    }
    put(clock, i, moved);
}

static void take_out(struct tab_clock *clock, struct tab_deadline *deadline)
{
    size_t i = deadline->place - 1;
    ASSERT(i < clock->n && clock->heap[i] == deadline);
    deadline->place = 0;
    clock->n--;
    if (i == clock->n)
        return;
    put(clock, i, clock->heap[clock->n]);
    sift_up(clock, i);
    sift_down(clock, clock->heap[i]->place - 1);
}

void tab_clock_set(struct tab_clock *clock, struct tab_deadline *deadline, int64_t at_ms)
{
    if (at_ms == TAB_NEVER) {
        if (deadline->place > 0)
            take_out(clock, deadline);
        deadline->at_ms = TAB_NEVER;
        return;
    }
    deadline->at_ms = at_ms;
    if (deadline->place == 0) {
        ASSERT(clock->n < clock->n_max);
        put(clock, clock->n++, deadline);
    }
    sift_up(clock, deadline->place - 1);
    sift_down(clock, deadline->place - 1);
}

int64_t tab_clock_next(const struct tab_clock *clock)
{
    return clock->n > 0 ? clock->heap[0]->at_ms : TAB_NEVER;
}

struct tab_deadline *tab_clock_pop(struct tab_clock *clock, int64_t now_ms)
{
    if (clock->n == 0 || clock->heap[0]->at_ms > now_ms)
        return NULL;
    struct tab_deadline *first = clock->heap[0];
    take_out(clock, first);
    return first;
}
