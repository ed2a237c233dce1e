/* How much of an address a log may contain, and how many lines per second it may have. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/addr.h"
#include "base/log_budget.h"

Test(addr, a_log_keeps_24_bits_of_ipv4_and_48_of_ipv6)
{
    static const char *const pairs[][2] = {
        {"192.0.2.77", "192.0.2.0/24"},
        {"255.255.255.255", "255.255.255.0/24"},
        {"::ffff:192.0.2.77", "192.0.2.0/24"},
        {"2001:db8:7:8:9:a:b:c", "2001:db8:7::/48"},
        {"2001:db8:1234:ffff:ffff:ffff:ffff:ffff", "2001:db8:1234::/48"},
        {"::1", "::/48"},
        {"fe80::1", "fe80::/48"},
        {"", "unknown"},
        {"unknown", "unknown"},
        {"192.0.2", "unknown"},
        {"192.0.2.1:80", "unknown"},
        {"fe80::1%eth0", "unknown"},
        {"mia@example.org", "unknown"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        char out[ADDR_TEXT_MAX];
        memset(out, 'x', sizeof(out));
        addr_network_text(pairs[i][0], out);
        cr_expect_str_eq(out, pairs[i][1], "%s", pairs[i][0]);
    }
}

Test(log_budget, excess_lines_per_second_are_dropped_and_counted_once)
{
    struct log_budget budget = {0};
    for (int second = 1; second < 4; second++) {
        int taken = 0;
        for (int i = 0; i < 100; i++)
            taken += log_budget_take(&budget, 7, second * 1000 + 9 * i);
        cr_expect_eq(taken, 7);
        cr_expect_eq(log_budget_dropped(&budget), 93);
        cr_expect_eq(log_budget_dropped(&budget), 0);
    }
    cr_expect(log_budget_take(&budget, 7, 2500), "a clock that is set back starts a new second");
    cr_expect(!log_budget_take(&budget, 0, 9000));
    cr_expect_eq(log_budget_dropped(&budget), 1);
}
