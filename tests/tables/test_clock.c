/* The heap of deadlines. */
#include "tables/clock.h"

#include <criterion/criterion.h>
#include <stdlib.h>

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
