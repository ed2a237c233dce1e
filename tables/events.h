/* The last events of a table, for clients that connect again: a ring of them by version, packed into some ten
 * bytes each, where an event of the engine has 44. Hub thread. */
#ifndef RUMMYD_TABLES_EVENTS_H
#define RUMMYD_TABLES_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/eng.h"

enum { TAB_EVENTS_MAX = 256 }; /* held; a client that is further behind gets a snapshot */

/* Zeroed: none yet. */
struct tab_events {
    uint32_t last_v;           /* version of the last event; 0: none yet */
    uint16_t held;             /* the last so many */
    uint16_t cap, first, used; /* of the bytes: how many there are, where the oldest event begins, in use */
    uint8_t *bytes;
};

/* The next event to be read; good until events are put. */
struct tab_events_at {
    const struct tab_events *events;
    uint32_t v; /* of the event read last */
    uint16_t place;
};

/* The events of one move or deal, each the next version. They are copied. */
void tab_events_put(struct tab_events *events, const struct eng_outcome *outcome);
/* Every event after v up to the last one is held. v may be any number a client sent. */
bool tab_events_hold_since(const struct tab_events *events, int64_t v);
/* Those after v, which must be held. */
struct tab_events_at tab_events_since(const struct tab_events *events, uint32_t v);
/* false: that was the last one. */
bool tab_events_next(struct tab_events_at *at, struct eng_event *event);
void tab_events_free(struct tab_events *events);

#endif
