/* The heap of deadlines. */
#include "tables/clock.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(clock, pops_in_order_after_any_set_move_or_clear)
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
        for (int i = 0; i < N; i++)
            if (deadlines[i].place > 0 && deadlines[i].at_ms < least)
                least = deadlines[i].at_ms;
        cr_assert_eq(tab_clock_next(&clock), least);
        cr_assert_leq(clock.n, N);
        if (rand() % 50 == 0) { /* an owner is removed, and another one replaces it */
            tab_clock_forget(&clock, d);
            *d = (struct tab_deadline){0};
        }
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

Test(clock, postponed_and_cleared_deadlines_are_not_due)
{
    static struct tab_deadline a, b;
    struct tab_clock clock;
    cr_assert(tab_clock_init(&clock, 2));
    tab_clock_set(&clock, &a, 10);
    tab_clock_set(&clock, &b, 20);
    tab_clock_set(&clock, &a, 30);
    cr_assert_eq(tab_clock_next(&clock), 20);
    cr_assert_null(tab_clock_pop(&clock, 19));
    tab_clock_set(&clock, &b, TAB_NEVER);
    cr_assert_null(tab_clock_pop(&clock, 29));
    cr_assert_eq(tab_clock_pop(&clock, 30), &a);
    tab_clock_set(&clock, &b, 40);
    tab_clock_set(&clock, &b, 35);
    cr_assert_eq(tab_clock_pop(&clock, 35), &b, "an earlier time counts at once");
    cr_assert_eq(tab_clock_next(&clock), TAB_NEVER);
    tab_clock_free(&clock);
}
