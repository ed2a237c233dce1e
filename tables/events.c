/* Ring of events; see events.h. Hub thread. */
#include "tables/events.h"

#include <stddef.h>

#include "base/bug.h"

void tab_events_put(struct tab_events *events, const struct eng_outcome *outcome)
{
    ASSERT(outcome->events_n <= ENG_EVENTS_MAX);
    for (int i = 0; i < outcome->events_n; i++) {
        events->last_v++;
        events->ring[events->last_v % TAB_EVENTS_MAX] = outcome->events[i];
    }
}

const struct eng_event *tab_events_at(const struct tab_events *events, uint32_t v)
{
    if (v == 0 || v > events->last_v || events->last_v - v >= TAB_EVENTS_MAX)
        return NULL;
    return &events->ring[v % TAB_EVENTS_MAX];
}

bool tab_events_hold_since(const struct tab_events *events, int64_t v)
{
    return v >= 0 && v <= events->last_v && events->last_v - v <= TAB_EVENTS_MAX;
}
