/* Counts by address, compared with a plain array. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/edge/addr_counter.h"

static struct addr addr_no(unsigned i)
{
    char text[ADDR_TEXT_MAX];
    struct addr addr;
    (void)snprintf(text, sizeof(text), "10.0.%u.%u", i / 256, i % 256);
    cr_assert(addr_of_text(text, &addr));
    return addr;
}

Test(addr_counter, counts_each_address)
{
    struct srv_addr_counter *counter = srv_addr_counter_new(3);
    struct addr one = addr_no(1), two = addr_no(2);
    srv_addr_counter_add(counter, &one);
    srv_addr_counter_add(counter, &one);
    srv_addr_counter_add(counter, &two);
    cr_assert_eq(srv_addr_counter_count(counter, &one), 2);
    cr_assert_eq(srv_addr_counter_count(counter, &two), 1);
    srv_addr_counter_remove(counter, &one);
    srv_addr_counter_remove(counter, &one);
    cr_assert_eq(srv_addr_counter_count(counter, &one), 0);
    cr_assert_eq(srv_addr_counter_count(counter, &two), 1);
    srv_addr_counter_free(counter);
}

/* Full most of the time, so that chains form and gaps are closed within them. */
Test(addr_counter, stays_correct_over_100000_additions_and_removals)
{
    enum { ADDRESSES = 48, MAX = 64, STEPS = 100000 };
    struct srv_addr_counter *counter = srv_addr_counter_new(MAX);
    size_t expected[ADDRESSES] = {0}, all = 0;
    srand(7);
    for (int step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)rand() % ADDRESSES;
        struct addr addr = addr_no(i);
        bool add = expected[i] == 0 || (all < MAX && rand() % 5 < 3);
        if (add && all == MAX)
            continue;
        if (add)
            srv_addr_counter_add(counter, &addr);
        else
            srv_addr_counter_remove(counter, &addr);
        expected[i] += add ? 1 : (size_t)-1;
        all += add ? 1 : (size_t)-1;
        unsigned other = (unsigned)rand() % ADDRESSES;
        struct addr looked = addr_no(other);
        cr_assert_eq(srv_addr_counter_count(counter, &addr), expected[i]);
        cr_assert_eq(srv_addr_counter_count(counter, &looked), expected[other], "step %d", step);
    }
    srv_addr_counter_free(counter);
}
