/* Deadlines of all tables of a node: one binary heap with an entry for each table. The owner of an entry
 * knows what is due at that time. All times are monotonic milliseconds. Hub thread.
 *
 * A turn's deadline moves on with each move and hardly ever comes. So one that is put off or cleared leaves
 * its entry where it is, which is too early then, and is put right when it comes to the top. */
#ifndef RUMMYD_TABLES_CLOCK_H
#define RUMMYD_TABLES_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAB_NEVER INT64_MAX

/* Part of its owner, which must forget it before it goes. Zeroed: not set. */
struct tab_deadline {
    int64_t at_ms;
    int64_t entry_ms; /* of its entry in the heap: at_ms or earlier */
    size_t place;     /* 1 + index of its entry; 0: it has none */
};

/* With the time in it: most comparisons look at the heap alone, not into the owners. */
struct tab_clock_entry {
    int64_t at_ms;
    struct tab_deadline *deadline;
};

struct tab_clock {
    struct tab_clock_entry *heap;
    size_t n, n_max;
};

/* n_max: so many deadlines may be set at once. false: memory is short. */
bool tab_clock_init(struct tab_clock *clock, size_t n_max);
/* The entries are their owners'. */
void tab_clock_free(struct tab_clock *clock);
/* Sets a deadline, moves it, or clears it (TAB_NEVER). */
void tab_clock_set(struct tab_clock *clock, struct tab_deadline *deadline, int64_t at_ms);
/* Its owner goes. */
void tab_clock_forget(struct tab_clock *clock, struct tab_deadline *deadline);
/* When the earliest is due; TAB_NEVER: none is set. */
int64_t tab_clock_next(struct tab_clock *clock);
/* Takes out the earliest that is due at now_ms. NULL: none is. */
struct tab_deadline *tab_clock_pop(struct tab_clock *clock, int64_t now_ms);

#endif
