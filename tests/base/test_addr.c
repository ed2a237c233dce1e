/* Addresses and the buckets used by limits. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

#include "base/addr.h"

Test(addr, every_notation_of_an_address_has_one_form)
{
    static const char *const cases[][2] = {
        {"10.0.0.1", "10.0.0.1"},
        {"::ffff:10.0.0.1", "10.0.0.1"},
        {"::FFFF:0A00:0001", "10.0.0.1"},
        {"0:0:0:0:0:ffff:a00:1", "10.0.0.1"},
        {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
        {"::1", "::1"},
        {"::", "::"},
        {"255.255.255.255", "255.255.255.255"},
        {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct addr addr;
        char text[ADDR_TEXT_MAX];
        cr_assert(addr_of_text(cases[i][0], &addr), "%s", cases[i][0]);
        addr_text(&addr, text);
        cr_expect_str_eq(text, cases[i][1]);
    }
}

Test(addr, invalid_addresses_are_refused_and_change_nothing)
{
    static const char *const cases[] = {"",          "unknown",   "10.0.0",      "10.0.0.256",
                                        "10.0.0.1 ", "010.0.0.1", "10.0.0.1/8",  "fe80::1%eth0",
                                        "[::1]",     "::1::",     "10.0.0.1:80", "2001:db8::/64"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct addr addr, before;
        memset(&addr, 0x5a, sizeof(addr));
        before = addr;
        cr_expect(!addr_of_text(cases[i], &addr), "%s", cases[i]);
        cr_expect_arr_eq(addr.bytes, before.bytes, sizeof(addr.bytes));
    }
}

Test(addr, a_client_has_the_same_address_on_ipv4_and_ipv6_sockets)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    struct addr through_in, through_in6;
    cr_assert_eq(inet_pton(AF_INET, "192.0.2.7", &in.sin_addr), 1);
    cr_assert_eq(inet_pton(AF_INET6, "::ffff:192.0.2.7", &in6.sin6_addr), 1);
    cr_assert(addr_of_sockaddr((struct sockaddr *)&in, &through_in));
    cr_assert(addr_of_sockaddr((struct sockaddr *)&in6, &through_in6));
    cr_expect_arr_eq(through_in.bytes, through_in6.bytes, sizeof(through_in.bytes));
    cr_expect(!addr_of_sockaddr((struct sockaddr *)&un, &through_in));
}

Test(addr, a_bucket_is_an_ipv4_address_or_an_ipv6_network)
{
    static const char *const cases[][2] = {
        {"10.0.0.1", "10.0.0.1"},
        {"::ffff:10.0.0.1", "10.0.0.1"},
        {"2001:db8:1:2::1", "2001:db8:1:2::/64"},
        {"2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"},
        {"2001:db8:1:3::1", "2001:db8:1:3::/64"},
        {"::1", "::/64"},
        {"::fffe:10.0.0.1", "::/64"}, /* not the prefix of mapped IPv4 */
        {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff::/64"},
        {"unknown", "unknown"},
        {"a text that is far too long to be an address of any kind",
         "a text that is far too long to be an address of"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[ADDR_TEXT_MAX];
        addr_bucket_text(cases[i][0], text);
        cr_expect_str_eq(text, cases[i][1]);
    }
}

Test(addr, neighboring_ipv4_addresses_have_separate_buckets)
{
    struct addr a, b;
    cr_assert(addr_of_text("10.0.0.1", &a) && addr_of_text("10.0.0.2", &b));
    struct addr bucket_a = addr_bucket(&a), bucket_b = addr_bucket(&b);
    cr_expect(memcmp(&bucket_a, &bucket_b, sizeof(bucket_a)) != 0);
    cr_expect_arr_eq(bucket_a.bytes, a.bytes, sizeof(a.bytes));
}

Test(addr, public_addresses_are_those_reachable_from_the_internet)
{
    static const char *const public[] = {
        "1.1.1.1",     "8.8.8.8",         "9.255.255.255", "11.0.0.0",        "100.63.255.255",
        "100.128.0.0", "126.255.255.255", "128.0.0.0",     "172.15.255.255",  "172.32.0.0",
        "192.0.1.0",   "198.17.255.255",  "198.20.0.0",    "223.255.255.255", "::ffff:8.8.8.8",
        "2001:200::",  "2606:4700::1111", "2a00::1",       "3ffe::1"};
    static const char *const others[] = {"0.0.0.0",
                                         "10.0.0.0",
                                         "10.255.255.255",
                                         "100.64.0.1",
                                         "127.0.0.1",
                                         "127.255.255.255",
                                         "169.254.169.254",
                                         "172.16.0.0",
                                         "172.31.255.255",
                                         "192.0.0.8",
                                         "192.0.2.1",
                                         "192.88.99.1",
                                         "192.168.1.1",
                                         "198.19.255.255",
                                         "198.51.100.7",
                                         "203.0.113.9",
                                         "224.0.0.1",
                                         "240.0.0.1",
                                         "255.255.255.255",
                                         "::ffff:127.0.0.1",
                                         "::",
                                         "::1",
                                         "::127.0.0.1",
                                         "64:ff9b::a00:1",
                                         "100::1",
                                         "2001::1",
                                         "2001:db8::1",
                                         "2002:7f00:1::",
                                         "3fff::1",
                                         "fc00::1",
                                         "fd12::1",
                                         "fe80::1",
                                         "ff02::1"};
    struct addr addr;
    for (size_t i = 0; i < sizeof(public) / sizeof(public[0]); i++)
        cr_expect(addr_of_text(public[i], &addr) && addr_is_public(&addr), "%s", public[i]);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        cr_expect(addr_of_text(others[i], &addr) && !addr_is_public(&addr), "%s", others[i]);
}
