/* Deadlines of all tables of a node: one binary heap with one entry per table. The owner of an entry
 * determines what is due. All times are in monotonic milliseconds. Hub thread.
 *
 * Each move changes the turn's deadline, which is rarely reached. So postponing or clearing a deadline does
 * not change its entry, which is then too early and is corrected when it reaches the top. */
#ifndef RUMMYD_TABLES_CLOCK_H
#define RUMMYD_TABLES_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAB_NEVER INT64_MAX

/* Embedded in its owner, which must call tab_clock_forget before it is freed. Zeroed: not set. */
struct tab_deadline {
    int64_t at_ms;
    int64_t entry_ms; /* time of its entry in the heap: at_ms or earlier */
    size_t place;     /* 1 + index of its entry in the heap; 0: none */
};

/* Contains the time, so that most comparisons read only the heap, not the owners. */
struct tab_clock_entry {
    int64_t at_ms;
    struct tab_deadline *deadline;
};

struct tab_clock {
    struct tab_clock_entry *heap;
    size_t n, n_max;
};

/* n_max: maximum number of deadlines set at the same time. false: out of memory. */
bool tab_clock_init(struct tab_clock *clock, size_t n_max);
/* Does not free deadlines, which belong to their owners. */
void tab_clock_free(struct tab_clock *clock);
/* Sets a deadline, moves it, or clears it (TAB_NEVER). */
void tab_clock_set(struct tab_clock *clock, struct tab_deadline *deadline, int64_t at_ms);
/* Removes a deadline before its owner is freed. */
void tab_clock_forget(struct tab_clock *clock, struct tab_deadline *deadline);
/* When the earliest deadline is due; TAB_NEVER: none is set. */
int64_t tab_clock_next(struct tab_clock *clock);
/* Removes and returns the earliest deadline due at now_ms. NULL: none is due. */
struct tab_deadline *tab_clock_pop(struct tab_clock *clock, int64_t now_ms);

#endif
