/* How many of something each address has at once, by its bucket (base/addr.h). Of one thread. */
#ifndef RUMMYD_SERVER_TALLY_H
#define RUMMYD_SERVER_TALLY_H

#include "base/addr.h"

#include <stddef.h>

struct srv_tally;

/* Room for so many at once, whosever they are. NULL: memory is short. */
struct srv_tally *srv_tally_new(size_t max);
void srv_tally_free(struct srv_tally *tally);
size_t srv_tally_count(const struct srv_tally *tally, const struct addr *bucket);
/* One more; never more than `max` at once. */
void srv_tally_add(struct srv_tally *tally, const struct addr *bucket);
/* One that was added has gone. */
void srv_tally_remove(struct srv_tally *tally, const struct addr *bucket);

#endif
