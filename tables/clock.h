/* Deadlines of all tables of a node: one binary heap with an entry for each table. The owner of an entry
 * knows what is due at that time. All times are monotonic milliseconds. Hub thread. */
#ifndef RUMMYD_TABLES_CLOCK_H
#define RUMMYD_TABLES_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAB_NEVER INT64_MAX

/* Part of its owner, which must clear it before it goes. Zeroed: not set. */
struct tab_deadline {
    int64_t at_ms;
    size_t place; /* 1 + index in the heap; 0: not in it */
};

struct tab_clock {
    struct tab_deadline **heap;
    size_t n, n_max;
};

/* n_max: so many entries may be set at once. false: memory is short. */
bool tab_clock_init(struct tab_clock *clock, size_t n_max);
/* The entries are their owners'. */
void tab_clock_free(struct tab_clock *clock);
/* Sets an entry, moves it, or clears it (TAB_NEVER). */
void tab_clock_set(struct tab_clock *clock, struct tab_deadline *deadline, int64_t at_ms);
/* When the earliest is due; TAB_NEVER: none is set. */
int64_t tab_clock_next(const struct tab_clock *clock);
/* Takes out the earliest that is due at now_ms. NULL: none is. */
struct tab_deadline *tab_clock_pop(struct tab_clock *clock, int64_t now_ms);

#endif
