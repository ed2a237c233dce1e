/* Which proxies are trusted to name the client, and in which forms. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/edge/proxies.h"

static char error[200];

static struct srv_proxies proxies_of(const char *list)
{
    struct srv_proxies proxies;
    cr_assert(srv_proxies_read(&proxies, list, error, sizeof(error)), "%s", error);
    return proxies;
}

/* Lines end with a newline here. */
static void add_lines(struct srv_forwarded_lines *lines, const char *text)
{
    for (; text && *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0'))
        srv_forwarded_add(lines, text, strcspn(text, "\n"));
}

/* The client, or the rejected header. */
static const char *followed_by(const char *list, const char *peer, const char *x, const char *rfc)
{
    static char out[ADDR_TEXT_MAX];
    struct srv_proxies proxies = proxies_of(list);
    struct srv_forwarded said = {0};
    struct addr addr;
    cr_assert(addr_of_text(peer, &addr));
    const struct addr before = addr;
    add_lines(&said.x_forwarded_for, x);
    add_lines(&said.forwarded, rfc);
    const char *wrong = srv_proxies_follow(&proxies, &said, &addr);
    if (wrong)
        cr_assert(memcmp(&before, &addr, sizeof(addr)) == 0);
    addr_text(&addr, out);
    return wrong ? wrong : out;
}

static const char *followed(const char *list, const char *peer, const char *x)
{
    return followed_by(list, peer, x, NULL);
}

Test(proxies, lists_are_parsed)
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
        cr_assert_str_eq(error, (snprintf(error + 100, 100, "proxies: \"%.60s\" is not an address", wrong[i]),
                                 error + 100));
    }
    cr_assert(!srv_proxies_read(&proxies,
                                "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,"
                                "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1",
                                error, sizeof(error)));
    cr_assert_str_eq(error, "proxies: more than 16 entries");
}

Test(proxies, the_client_is_the_last_address_that_is_not_our_proxy)
{
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.9", "1.2.3.4"),
                     "10.0.0.9"); /* not a proxy, so its header is ignored */
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.9", "rubbish"), "10.0.0.9");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "1.2.3.4"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "6.6.6.6, 1.2.3.4"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1,10.0.0.2", "10.0.0.1", "1.2.3.4,10.0.0.2"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1,10.0.0.2", "10.0.0.1", "1.2.3.4\n10.0.0.2"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1,10.0.0.2", "10.0.0.1", "1.2.3.4\n\n , \n10.0.0.2,"), "1.2.3.4");
    cr_assert_str_eq(followed("10.0.0.1,10.0.0.2", "10.0.0.1", "10.0.0.2"), "10.0.0.2");
    cr_assert_str_eq(followed("10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1"), "2001:db8::1");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", NULL), "10.0.0.1"); /* the proxy's own health checks */
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", "rubbish, \", 1.2.3.4"), "1.2.3.4");
}

/* Each value in both headers, alone, after others, and with spaces around it. */
static const struct {
    const char *node, *client;
} forms[] = {
    {"1.2.3.4", "1.2.3.4"},
    {"1.2.3.4:1", "1.2.3.4"},
    {"1.2.3.4:65535", "1.2.3.4"},
    {"1.2.3.4:_port", "1.2.3.4"},
    {"[2001:db8::1]", "2001:db8::1"},
    {"[2001:db8::1]:443", "2001:db8::1"},
    {"[2001:db8::1]:_p", "2001:db8::1"},
    {"2001:db8::1", "2001:db8::1"},
    {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
    {"2001:db8::443", "2001:db8::443"}, /* without brackets, this is not a port */
    {"::ffff:1.2.3.4", "1.2.3.4"},
    {"::ffff:102:304", "1.2.3.4"},
    {"[::ffff:1.2.3.4]:443", "1.2.3.4"},
    {"fe80::1%eth0", "fe80::1"},
    {"[fe80::1%25eth0]:443", "fe80::1"},
};

static const char *const unreadable[] = {
    "unknown",
    "_hidden",
    "_SEVKISEK",
    "rubbish",
    "proxy.example",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "256.1.1.1",
    "1.2.3.4:",
    "1.2.3.4:0x1",
    "1.2.3.4:65536",
    "1.2.3.4:-1",
    "1.2.3.4:+1",
    "1.2.3.4:000001",
    "1.2.3.4%eth0",
    "[1.2.3.4]",
    "[1.2.3.4]:80",
    "[2001:db8::1",
    "2001:db8::1]",
    "[2001:db8::1]x",
    "[2001:db8::1]:",
    "[]",
    "[]:1",
    "fe80::1%",
    "fe80::1%a/b",
    "1.2.3.4/32",
    "1.2.3.4 5.6.7.8",
    "'1.2.3.4'",
    "1::2::3",
    "16909060",
    "0x1.2.3.4",
    "-",
    "(null)",
    "[[::1]]",
    "11111111111111111111111111111111111111111111111111111111111111111111111111111111",
};

Test(proxies, every_form_sent_by_proxies_is_read)
{
    char x[400], rfc[400];
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        for (int how = 0; how < 5; how++) {
            const char *node = forms[i].node;
            static const char *const as_x[] = {"%s", "rubbish, %s", "\t %s \t", "6.6.6.6\n%s,,", "\"%s\""};
            static const char *const as_rfc[] = {"for=\"%s\"", "For=\"%s\";proto=https;by=unknown",
                                                 "for=6.6.6.6, for=\"%s\"", "proto=http ; FOR=\"%s\" ;",
                                                 "for=\"[2001:db8::9],;\"\nhost=\"a,b;c\";for=\"%s\","};
            (void)snprintf(x, sizeof(x), as_x[how], node);
            (void)snprintf(rfc, sizeof(rfc), as_rfc[how], node);
            cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", x), forms[i].client, "%s", x);
            cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", NULL, rfc), forms[i].client, "%s", rfc);
            cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", x, rfc), forms[i].client, "%s", x);
        }
    cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", NULL, "for=1.2.3.4"), "1.2.3.4");
    cr_assert_str_eq(followed_by("10.0.0.1,10.0.0.2", "10.0.0.1", NULL, "for=1.2.3.4, for=10.0.0.2"),
                     "1.2.3.4");
}

Test(proxies, unreadable_addresses_are_refused_not_replaced_by_the_proxys)
{
    char x[400], rfc[400];
    for (size_t i = 0; i < sizeof(unreadable) / sizeof(unreadable[0]); i++) {
        (void)snprintf(x, sizeof(x), "1.2.3.4, %s", unreadable[i]);
        (void)snprintf(rfc, sizeof(rfc), "for=1.2.3.4, for=\"%s\"", unreadable[i]);
        cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", x), "X-Forwarded-For", "%s", x);
        cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", unreadable[i]), "X-Forwarded-For", "%s", x);
        cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", NULL, rfc), "Forwarded", "%s", rfc);
        cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", "1.2.3.4", rfc), "Forwarded", "%s", rfc);
        cr_assert_str_eq(followed("10.0.0.1", "10.0.0.9", x), "10.0.0.9", "%s", x);
    }
    static const char *const nobody[] = {" ", " , ,", ",", "\n"};
    for (size_t i = 0; i < sizeof(nobody) / sizeof(nobody[0]); i++) {
        cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", nobody[i]), "X-Forwarded-For");
        cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", NULL, nobody[i]), "Forwarded");
    }
    static const char *const bad_elements[] = {"proto=https",
                                               "1.2.3.4",
                                               "for",
                                               "for=",
                                               "for=\"\"",
                                               "for=\"1.2.3.4",
                                               "for=1.2.3.4;for=5.6.7.8",
                                               "for=\"1.2.3.4\\\"\"",
                                               "for =1.2.3.4",
                                               "for= 1.2.3.4\"",
                                               "for=1.2.3.4, proto=https"};
    for (size_t i = 0; i < sizeof(bad_elements) / sizeof(bad_elements[0]); i++)
        cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", NULL, bad_elements[i]), "Forwarded", "%s",
                         bad_elements[i]);
}

Test(proxies, both_headers_must_name_the_same_client)
{
    cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", "1.2.3.4", "for=1.2.3.5"), "Forwarded");
    cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", "::ffff:1.2.3.4", "for=1.2.3.4"), "1.2.3.4");
    cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.9", "1.2.3.4", "for=1.2.3.5"), "10.0.0.9");
}

Test(proxies, the_number_and_length_of_headers_are_limited)
{
    char x[200] = "", rfc[2000] = "";
    for (int i = 0; i < SRV_FORWARDED_LINES_MAX; i++)
        strcat(x, "1.2.3.4\n");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", x), "1.2.3.4");
    strcat(x, "1.2.3.4\n");
    cr_assert_str_eq(followed("10.0.0.1", "10.0.0.1", x), "X-Forwarded-For");
    for (int i = 0; i < SRV_FORWARDED_NODES_MAX; i++)
        strcat(rfc, "for=1.2.3.4,");
    cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", NULL, rfc), "1.2.3.4");
    strcat(rfc, "for=1.2.3.4,");
    cr_assert_str_eq(followed_by("10.0.0.1", "10.0.0.1", NULL, rfc), "Forwarded");
}
