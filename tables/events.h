/* The last events of a table, for those who connect again: a ring of engine events by version.
 * Hub thread. */
#ifndef RUMMYD_TABLES_EVENTS_H
#define RUMMYD_TABLES_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/eng.h"

enum { TAB_EVENTS_MAX = 256 }; /* held; who is further behind gets a snapshot */

struct tab_events {
    uint32_t last_v; /* 0: none yet */
    struct eng_event ring[TAB_EVENTS_MAX];
};

void tab_events_put(struct tab_events *events, const struct eng_outcome *outcome);
/* The event that led to version v; NULL when it is no longer held, or not yet there. */
const struct eng_event *tab_events_at(const struct tab_events *events, uint32_t v);
/* True when every event after v up to the last is held. */
bool tab_events_hold_since(const struct tab_events *events, int64_t v);

#endif
