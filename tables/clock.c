/* Binary heap of deadlines; see clock.h. Hub thread. */
#include "tables/clock.h"

#include <stdlib.h>

#include "base/bug.h"

bool tab_clock_init(struct tab_clock *clock, size_t n_max)
{
    ASSERT(n_max > 0);
    *clock = (struct tab_clock){.n_max = n_max};
    clock->heap = calloc(n_max, sizeof(*clock->heap));
    return clock->heap != NULL;
}

void tab_clock_free(struct tab_clock *clock)
{
    free(clock->heap);
    *clock = (struct tab_clock){0};
}

static void put(struct tab_clock *clock, size_t i, struct tab_clock_entry entry)
{
    clock->heap[i] = entry;
    entry.deadline->place = i + 1;
}

static void sift_up(struct tab_clock *clock, size_t i, struct tab_clock_entry moved)
{
    while (i > 0 && clock->heap[(i - 1) / 2].at_ms > moved.at_ms) {
        put(clock, i, clock->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(clock, i, moved);
}

static void sift_down(struct tab_clock *clock, size_t i, struct tab_clock_entry moved)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= clock->n)
            break;
        if (child + 1 < clock->n && clock->heap[child + 1].at_ms < clock->heap[child].at_ms)
            child++;
        if (clock->heap[child].at_ms >= moved.at_ms)
            break;
        put(clock, i, clock->heap[child]);
        i = child;
    }
    put(clock, i, moved);
}

void tab_clock_set(struct tab_clock *clock, struct tab_deadline *deadline, int64_t at_ms)
{
    deadline->at_ms = at_ms;
    if (at_ms == TAB_NEVER || (deadline->place > 0 && deadline->entry_ms <= at_ms))
        return;
    deadline->entry_ms = at_ms;
    ASSERT(deadline->place > 0 || clock->n < clock->n_max);
    size_t i = deadline->place > 0 ? deadline->place - 1 : clock->n++;
    sift_up(clock, i, (struct tab_clock_entry){.at_ms = at_ms, .deadline = deadline});
}

void tab_clock_forget(struct tab_clock *clock, struct tab_deadline *deadline)
{
    deadline->at_ms = TAB_NEVER;
    if (deadline->place == 0)
        return;
    size_t i = deadline->place - 1;
    ASSERT(i < clock->n && clock->heap[i].deadline == deadline);
    deadline->place = 0;
    clock->n--;
    if (i == clock->n)
        return;
    struct tab_clock_entry last = clock->heap[clock->n];
    sift_up(clock, i, last);
    if (clock->heap[i].deadline == last.deadline)
        sift_down(clock, i, last);
}

int64_t tab_clock_next(struct tab_clock *clock)
{
    while (clock->n > 0) {
        struct tab_deadline *first = clock->heap[0].deadline;
        if (first->at_ms == TAB_NEVER) {
            tab_clock_forget(clock, first);
        } else if (first->at_ms > first->entry_ms) {
            first->entry_ms = first->at_ms;
            sift_down(clock, 0, (struct tab_clock_entry){.at_ms = first->at_ms, .deadline = first});
        } else {
            return first->at_ms;
        }
    }
    return TAB_NEVER;
}

struct tab_deadline *tab_clock_pop(struct tab_clock *clock, int64_t now_ms)
{
    int64_t at_ms = tab_clock_next(clock);
    if (clock->n == 0 || at_ms > now_ms)
        return NULL;
    struct tab_deadline *first = clock->heap[0].deadline;
    tab_clock_forget(clock, first);
    first->at_ms = at_ms;
    return first;
}
