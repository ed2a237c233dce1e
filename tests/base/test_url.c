/* Parts of URLs, and spellings that libcurl accepts but the program does not. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/bug.h"
#include "base/url.h"

Test(url, its_parts_are_read)
{
    static const struct {
        const char *text, *scheme, *host, *origin;
        int port;
        bool user, password;
    } cases[] = {
        {"https://play.example", "https", "play.example", "https://play.example", 0, false, false},
        {"wss://a_b:8081/n1?x=1#y", "wss", "a_b", "wss://a_b:8081", 8081, false, false},
        {"https://a?x@b:1/", "https", "a", "https://a", 0, false, false},
        {"https://a#@b", "https", "a", "https://a", 0, false, false},
        {"http://127.0.0.1:65535/", "http", "127.0.0.1", "http://127.0.0.1:65535", 65535, false, false},
        {"smtps://[2001:0DB8:0::1]:25", "smtps", "[2001:db8::1]", "smtps://[2001:0DB8:0::1]:25", 25, false,
         false},
        {"nats://a:b@[::1]", "nats", "[::1]", "nats://a:b@[::1]", 0, true, true},
        {"tls://a%40:b@Bus.example:4222", "tls", "Bus.example", "tls://a%40:b@Bus.example:4222", 4222, true,
         true},
        {"tls://a@bus.example:4222", "tls", "bus.example", "tls://a@bus.example:4222", 4222, true, false},
        {"nats://:b@h", "nats", "h", "nats://:b@h", 0, true, false},
        {"nats://a:@h", "nats", "h", "nats://a:@h", 0, true, false},
        {"capacitor://localhost", "capacitor", "localhost", "capacitor://localhost", 0, false, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct url url;
        const char *fault = url_read(cases[i].text, &url);
        cr_assert_null(fault, "%s: %s", cases[i].text, fault);
        cr_expect_str_eq(url.scheme, cases[i].scheme);
        cr_expect_str_eq(url.host, cases[i].host, "%s: %s", cases[i].text, url.host);
        cr_expect_eq(url.port, cases[i].port, "%s: %d", cases[i].text, url.port);
        cr_expect(url.user == cases[i].user && url.password == cases[i].password, "%s", cases[i].text);
        cr_expect_eq(url.origin, strlen(cases[i].origin), "%s: %zu", cases[i].text, url.origin);
    }
}

Test(url, what_is_wrong_is_named)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "scheme"},
        {"foo", "scheme"},
        {"//a.example", "scheme"},
        {"https:/a.example", "scheme"},
        {"https:a.example", "scheme"},
        {"HTTPS://a.example", "scheme"},
        {" https://a.example", "scheme"},
        {"an-unusually-long-scheme-of-some-app://a", "scheme"},
        {"https://a b", "character"},
        {"https://a/x\ty", "character"},
        {"https://a\\@b", "character"},
        {"https://\xc3\xa4.example", "character"},
        {"https://", "no host"},
        {"https:///a.example", "no host"},
        {"https://?x", "no host"},
        {"https://:80", "no host"},
        {"https://a@:80", "no host"},
        {"file:///etc/passwd", "no host"},
        {"https://[::1", "host that"},
        {"https://[::g]", "host that"},
        {"https://[]", "host that"},
        {"https://[fe80::1%25eth0]", "host that"},
        {"https://%6cocalhost", "host that"},
        {"https://127.1", "host that"},
        {"https://2130706433", "host that"},
        {"https://0x7f.0.0.1", "host that"},
        {"https://a;b", "host that"},
        {"https://a:b@c@d", "host that"},
        {"https://a:", "port"},
        {"https://a:/x", "port"},
        {"https://a:0", "port"},
        {"https://a:0443", "port"},
        {"https://a:65536", "port"},
        {"https://a:80x", "port"},
        {"https://a:25:25", "port"},
        {"https://a:b@c:", "port"},
        {"https://[::1]:", "port"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct url url;
        const char *fault = url_read(cases[i].text, &url);
        cr_expect(fault && strstr(fault, cases[i].part), "%s: %s", cases[i].text, fault);
    }
}

Test(url, the_length_of_a_host_is_limited)
{
    char text[URL_HOST_MAX + 16] = "https://";
    struct url url;
    memset(text + strlen(text), 'a', URL_HOST_MAX - 1);
    cr_assert_null(url_read(text, &url));
    cr_assert_eq(strlen(url.host), URL_HOST_MAX - 1);
    text[strlen(text)] = 'a';
    cr_assert_not_null(url_read(text, &url));
}
