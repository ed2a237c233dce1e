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

/* The first seed from `first` on that is in no range of that revision. *sum: the total of the ranges before
 * it. Without a file, no worlds have been run. */
uint64_t done_until(const char *file, const char *revision, uint64_t first, struct done *sum);
/* false if the file cannot be written. */
bool done_add(const char *file, const char *revision, const struct done *range);

#endif
