/* The ring of events. */
#include "tables/events.h"

#include <criterion/criterion.h>

Test(events, the_ring_holds_the_last_of_them)
{
    static struct tab_events events;
    struct eng_outcome out = {.events_n = 3};
    cr_assert(tab_events_hold_since(&events, 0));
    cr_assert(!tab_events_hold_since(&events, 1));
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++)
            out.events[k].scored.points = i * 3 + k + 1;
        tab_events_put(&events, &out);
    }
    cr_assert_eq(events.last_v, 600);
    cr_assert_null(tab_events_at(&events, 0));
    cr_assert_null(tab_events_at(&events, 600 - TAB_EVENTS_MAX));
    cr_assert_null(tab_events_at(&events, 601));
    for (uint32_t v = 601 - TAB_EVENTS_MAX; v <= 600; v++)
        cr_assert_eq(tab_events_at(&events, v)->scored.points, (int)v);
    cr_assert(tab_events_hold_since(&events, 600 - TAB_EVENTS_MAX));
    cr_assert(!tab_events_hold_since(&events, 600 - TAB_EVENTS_MAX - 1));
    cr_assert(tab_events_hold_since(&events, 600));
    cr_assert(!tab_events_hold_since(&events, 601));
    cr_assert(!tab_events_hold_since(&events, -1));
}
