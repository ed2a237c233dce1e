/* Whose word is believed about who is connected. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "server/proxies.h"

static char error[200];

static struct srv_proxies proxies_of(const char *list)
{
    struct srv_proxies proxies;
    cr_assert(srv_proxies_read(&proxies, list, error, sizeof(error)), "%s", error);
    return proxies;
}

static const char *followed(const char *list, const char *peer, const char *forwarded_for)
{
    static char out[ADDR_TEXT_MAX];
    struct srv_proxies proxies = proxies_of(list);
    struct addr addr;
    cr_assert(addr_of_text(peer, &addr));
    srv_proxies_follow(&proxies, forwarded_for, &addr);
    addr_text(&addr, out);
    return out;
}

Test(proxies, lists)
{
    cr_assert_eq(proxies_of("").n, 0);
    cr_assert_eq(proxies_of("10.0.0.1").n, 1);
    cr_assert_eq(proxies_of(" 10.0.0.1,, 2001:db8::1 ,").n, 2);
    cr_assert_eq(proxies_of("1.1.1.1,1.1.1.2,1.1.1.3,1.1.1.4,1.1.1.5,1.1.1.6,1.1.1.7,1.1.1.8,"
                            "1.1.1.9,1.1.1.10,1.1.1.11,1.1.1.12,1.1.1.13,1.1.1.14,1.1.1.15,1.1.1.16")
                     .n,
                 SRV_PROXIES_MAX);
}

Test(proxies, refusals_name_the_key)
{
    struct srv_proxies proxies;
    static const char *const wrong[] = {"proxy.example", "10.0.0.0/8", "10.0.0.1:80", "10.0.0.1;10.0.0.2",
                                        "1111111111111111111111111111111111111111111111111111111111"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        cr_assert(!srv_proxies_read(&proxies, wrong[i], error, sizeof(error)), "%s", wrong[i]);
        cr_assert_str_eq(
            error, (snprintf(error + 100, 100, "proxies: \"%.60s\" is no address", wrong[i]), error + 100));
    }
    cr_assert(!srv_proxies_read(&proxies,
                                "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,"
                                "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1",
                                error, sizeof(error)));
    cr_assert_str_eq(error, "proxies: more than 16 entries");
}

Test(proxies, the_last_that_is_none_of_ours)
{
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.9", "1.2.3.4"),
                     "10.0.0.9"); /* no proxy: its word counts nothing */
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "1.2.3.4"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "6.6.6.6, 1.2.3.4"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1,10.0.0.2", "10.0.0.1", "1.2.3.4,10.0.0.2"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1,10.0.0.2", "10.0.0.1", "10.0.0.2"), "10.0.0.2");
    cr_assert_str_eq(followed("10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1"), "2001:db8::1");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "::ffff:1.2.3.4"), "1.2.3.4");
}

Test(proxies, what_is_no_address_ends_the_search)
{
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", NULL), "10.0.0.1");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", ""), "10.0.0.1");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", " , ,"), "10.0.0.1");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "unknown"), "10.0.0.1");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "1.2.3.4, x"), "10.0.0.1");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "1.2.3.4:5"), "10.0.0.1");
    char huge[4096];
    (void)snprintf(huge, sizeof(huge), "%04000d", 1);
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", huge), "10.0.0.1");
}
