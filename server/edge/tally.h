/* Counts per address, by its bucket (base/addr.h). Used by one thread. */
#ifndef RUMMYD_SERVER_TALLY_H
#define RUMMYD_SERVER_TALLY_H

#include "base/addr.h"

#include <stddef.h>

struct srv_tally;

/* Capacity for a total of max at once. NULL: out of memory. */
struct srv_tally *srv_tally_new(size_t max);
void srv_tally_free(struct srv_tally *tally);
size_t srv_tally_count(const struct srv_tally *tally, const struct addr *bucket);
/* Adds one; never more than `max` at once. */
void srv_tally_add(struct srv_tally *tally, const struct addr *bucket);
/* Removes one that was added. */
void srv_tally_remove(struct srv_tally *tally, const struct addr *bucket);

#endif
