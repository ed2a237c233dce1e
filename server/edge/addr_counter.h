/* Counters per address bucket (base/addr.h). Used by one thread. */
#ifndef RUMMYD_SERVER_ADDR_COUNTER_H
#define RUMMYD_SERVER_ADDR_COUNTER_H

#include "base/addr.h"

#include <stddef.h>

struct srv_addr_counter;

/* max: the maximum sum of all counters. NULL: out of memory. */
struct srv_addr_counter *srv_addr_counter_new(size_t max);
void srv_addr_counter_free(struct srv_addr_counter *counter);
size_t srv_addr_counter_count(const struct srv_addr_counter *counter, const struct addr *bucket);
/* Adds one. The caller keeps the sum at or below `max`. */
void srv_addr_counter_add(struct srv_addr_counter *counter, const struct addr *bucket);
/* Removes one that was added. */
void srv_addr_counter_remove(struct srv_addr_counter *counter, const struct addr *bucket);

#endif
