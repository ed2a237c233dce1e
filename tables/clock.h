/* Deadlines of all tables of a node: one binary heap, one entry a table. Deadlines are data: who
 * owns an entry decides what is due when it fires. Hub thread. */
#ifndef RUMMYD_TABLES_CLOCK_H
#define RUMMYD_TABLES_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAB_NEVER INT64_MAX

/* Embedded in its owner. Zeroed: not set. */
struct tab_deadline {
    int64_t at_ms;
    size_t place; /* 1 + index in the heap; 0: not in it */
};

struct tab_clock {
    struct tab_deadline **heap;
    size_t n, n_max;
};

/* false: memory is short. n_max: entries at most. */
bool tab_clock_init(struct tab_clock *clock, size_t n_max);
void tab_clock_free(struct tab_clock *clock);
/* Sets, moves or (TAB_NEVER) clears an entry. At most n_max may be set. */
void tab_clock_set(struct tab_clock *clock, struct tab_deadline *deadline, int64_t at_ms);
/* When the earliest is due; TAB_NEVER when none is set. */
int64_t tab_clock_next(const struct tab_clock *clock);
/* Takes out the earliest that is due at now_ms; NULL when none is. */
struct tab_deadline *tab_clock_pop(struct tab_clock *clock, int64_t now_ms);

#endif
