/* The event ring. */
#include "tables/events.h"

#include <criterion/criterion.h>
#include <string.h>

Test(events, the_ring_holds_the_latest_events)
{
    static struct tab_events events;
    struct eng_outcome out = {.events_n = 3};
    struct eng_event event;
    cr_assert(tab_events_hold_since(&events, 0));
    cr_assert(!tab_events_hold_since(&events, 1));
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++)
            out.events[k].scored.points = i * 3 + k + 1;
        tab_events_put(&events, &out);
    }
    cr_assert_eq(events.last_v, 600);
    cr_assert(tab_events_hold_since(&events, 600 - TAB_EVENTS_MAX));
    cr_assert(!tab_events_hold_since(&events, 600 - TAB_EVENTS_MAX - 1));
    cr_assert(tab_events_hold_since(&events, 600));
    cr_assert(!tab_events_hold_since(&events, 601));
    cr_assert(!tab_events_hold_since(&events, -1));
    for (uint32_t since = 600 - TAB_EVENTS_MAX; since <= 600; since++) {
        struct tab_events_at at = tab_events_since(&events, since);
        for (uint32_t v = since + 1; v <= 600; v++) {
            cr_assert(tab_events_next(&at, &event));
            cr_assert(at.v == v && event.scored.points == (int)v);
        }
        cr_assert(!tab_events_next(&at, &event));
    }
    tab_events_free(&events);
}

/* Events of any kind, as the engine makes them, with unused fields set to zero. */
static void make_event(struct eng_event *event, unsigned *seed)
{
    *event = (struct eng_event){.type = (uint8_t)(1 + rand_r(seed) % (ENG_EV_TYPE_END - 1)),
                                .seat = (uint8_t)(rand_r(seed) % ENG_SEAT_MAX),
                                .private_to = ENG_NO_SEAT,
                                .meld = ENG_NO_MELD};
    if (rand_r(seed) % 4 == 0)
        event->seat = ENG_NO_SEAT;
    if (rand_r(seed) % 4 == 0)
        event->private_to = event->seat;
    if (rand_r(seed) % 4 == 0)
        event->meld = (uint8_t)(rand_r(seed) % ENG_MELD_MAX);
    event->n = (uint8_t)(rand_r(seed) % (ENG_EVENT_CARDS_MAX + 1));
    for (int i = 0; i < event->n; i++)
        event->cards[i] = (uint8_t)(rand_r(seed) % ENG_CARD_MAX);
    event->groups = (uint8_t)(rand_r(seed) % (ENG_GROUPS_MAX + 1));
    for (int i = 0; i < event->groups; i++)
        event->lens[i] = (uint8_t)(rand_r(seed) % 14);
    event->scored.points = rand_r(seed) % 3 - 1;
    event->scored.total = rand_r(seed) % 2 ? rand_r(seed) : 0;
    event->scored.flags = (uint8_t)(rand_r(seed) % 2);
}

Test(events, each_event_is_read_as_it_was_stored)
{
    static struct tab_events events;
    static struct eng_event all[20000];
    static struct eng_outcome out;
    unsigned seed = 1;
    size_t n = 0;
    while (n + ENG_EVENTS_MAX <= sizeof(all) / sizeof(all[0])) {
        out.events_n = (uint8_t)(rand_r(&seed) % (ENG_EVENTS_MAX + 1));
        for (int i = 0; i < out.events_n; i++) {
            make_event(&out.events[i], &seed);
            all[n++] = out.events[i];
        }
        tab_events_put(&events, &out);
        struct eng_event event;
        uint32_t since = events.last_v - (uint32_t)rand_r(&seed) % (events.held + 1u);
        struct tab_events_at at = tab_events_since(&events, since);
        while (tab_events_next(&at, &event))
            cr_assert_eq(memcmp(&event, &all[at.v - 1], sizeof(event)), 0, "version %u", at.v);
        cr_assert_eq(at.v, n);
    }
    tab_events_free(&events);
}
