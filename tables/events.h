/* The last events of a table, for clients that reconnect: a ring buffer by version. Events are packed into
 * about 10 bytes each, while an event of the engine takes 44 bytes. Hub thread. */
#ifndef RUMMYD_TABLES_EVENTS_H
#define RUMMYD_TABLES_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/eng.h"

enum { TAB_EVENTS_MAX = 256 }; /* events kept; a client that is further behind gets a snapshot */

/* Zeroed: empty. */
struct tab_events {
    uint32_t last_v;           /* version of the last event; 0: none yet */
    uint16_t held;             /* number of events kept */
    uint16_t cap, first, used; /* in bytes: capacity, offset of the oldest event, in use */
    uint8_t *bytes;
};

/* Cursor to the next event; valid until events are added. */
struct tab_events_at {
    const struct tab_events *events;
    uint32_t v; /* version of the event read last */
    uint16_t place;
};

/* Adds copies of the events of one move or deal, each with the next version. */
void tab_events_put(struct tab_events *events, const struct eng_outcome *outcome);
/* Whether every event after v up to the last one is kept. v may be any number a client sent. */
bool tab_events_hold_since(const struct tab_events *events, int64_t v);
/* A cursor to the events after v, which must be kept. */
struct tab_events_at tab_events_since(const struct tab_events *events, uint32_t v);
/* false: there are no more. */
bool tab_events_next(struct tab_events_at *at, struct eng_event *event);
void tab_events_free(struct tab_events *events);

#endif
