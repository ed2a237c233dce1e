/* The last events of a table, for clients that connect again: a ring of the engine's events, by version. Hub
 * thread. */
#ifndef RUMMYD_TABLES_EVENTS_H
#define RUMMYD_TABLES_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/eng.h"

enum { TAB_EVENTS_MAX = 256 }; /* held; a client that is further behind gets a snapshot */

struct tab_events {
    uint32_t last_v; /* version of the last event; 0: none yet */
    struct eng_event ring[TAB_EVENTS_MAX];
};

/* The events of one move or deal, each the next version. They are copied. */
void tab_events_put(struct tab_events *events, const struct eng_outcome *outcome);
/* The event that led to version v. NULL: it is no longer held, or not there yet. */
const struct eng_event *tab_events_at(const struct tab_events *events, uint32_t v);
/* Every event after v up to the last one is held. v may be any number a client sent. */
bool tab_events_hold_since(const struct tab_events *events, int64_t v);

#endif
