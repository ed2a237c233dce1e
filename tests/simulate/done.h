/* Which worlds have been run, in a file that each run appends to, so that a long run can be stopped and
 * resumed. One line per range of seeds: revision, first, last, held, failed. */
#ifndef RUMMYD_TESTS_SIMULATE_DONE_H
#define RUMMYD_TESTS_SIMULATE_DONE_H

#include <stdbool.h>
#include <stdint.h>

enum { DONE_REVISION_MAX = 64 }; /* characters */

struct done {
    uint64_t first, last, held, failed;
};

/* From `first` on, the first seed that is in no range of that revision. *sum: of the ranges before it. No
 * file: nothing was run. */
uint64_t done_until(const char *file, const char *revision, uint64_t first, struct done *sum);
/* false: the file cannot be written. */
bool done_add(const char *file, const char *revision, const struct done *range);

#endif
