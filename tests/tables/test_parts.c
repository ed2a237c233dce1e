/* The parts of a table: clock, event ring, memory of answers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/clock.h"
#include "tables/command_replies.h"
#include "tables/events.h"

Test(clock, pops_in_order_whatever_is_set_moved_and_cleared)
{
    enum { N = 200 };
    static struct tab_deadline deadlines[N];
    struct tab_clock clock;
    cr_assert(tab_clock_init(&clock, N));
    srand(7);
    for (int round = 0; round < 20000; round++) {
        struct tab_deadline *d = &deadlines[rand() % N];
        tab_clock_set(&clock, d, rand() % 5 == 0 ? TAB_NEVER : rand() % 1000);
        if (rand() % 3 == 0)
            (void)tab_clock_pop(&clock, rand() % 300);
        int64_t least = TAB_NEVER;
        size_t n = 0;
        for (int i = 0; i < N; i++)
            if (deadlines[i].place > 0) {
                n++;
                least = deadlines[i].at_ms < least ? deadlines[i].at_ms : least;
            }
        cr_assert_eq(tab_clock_next(&clock), least);
        cr_assert_eq(clock.n, n);
    }
    int64_t before = -1;
    struct tab_deadline *d;
    while ((d = tab_clock_pop(&clock, 100000)) != NULL) {
        cr_assert_geq(d->at_ms, before);
        before = d->at_ms;
    }
    cr_assert_eq(tab_clock_next(&clock), TAB_NEVER);
    cr_assert_null(tab_clock_pop(&clock, INT64_MAX));
    tab_clock_free(&clock);
}

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

Test(command_replies, the_first_answer_is_kept_for_the_last_commands)
{
    static struct tab_command_replies answers;
    char id[TAB_COMMAND_ID_MAX];
    cr_assert_null(tab_command_replies_find(&answers, ""));
    for (unsigned i = 0; i < 3 * TAB_COMMAND_REPLIES_MAX; i++) {
        (void)snprintf(id, sizeof(id), "c-%u", i);
        cr_assert_null(tab_command_replies_find(&answers, id));
        if (i % 2) {
            tab_command_replies_ack(&answers, id, i);
        } else {
            struct eng_outcome out = {.code = ENG_NOT_YOUR_TURN, .refused_n = 2, .refused = {4, 5}};
            tab_command_replies_nack(&answers, id, &out);
        }
    }
    for (unsigned i = 2 * TAB_COMMAND_REPLIES_MAX; i < 3 * TAB_COMMAND_REPLIES_MAX; i++) {
        (void)snprintf(id, sizeof(id), "c-%u", i);
        const struct tab_command_reply *answer = tab_command_replies_find(&answers, id);
        cr_assert_not_null(answer);
        cr_assert_eq(answer->code, i % 2 ? ENG_OK : ENG_NOT_YOUR_TURN);
        if (i % 2)
            cr_assert_eq(answer->v, i);
        else
            cr_assert(answer->cards_n == 2 && answer->cards[1] == 5);
    }
    (void)snprintf(id, sizeof(id), "c-%d", 2 * TAB_COMMAND_REPLIES_MAX - 1);
    cr_assert_null(tab_command_replies_find(&answers, id), "older ones are forgotten");
}
