/* The provider URLs to which buyers are sent. */
#include "base/bug.h"
#include "pay/page.h"
#include "pay/pay.h"

#include <criterion/criterion.h>

#define HOSTS "www.paypal.com www.sandbox.paypal.com"

Test(page, of_a_known_host_over_https_is_accepted)
{
    static const char *const good[] = {
        "https://www.paypal.com",
        "https://www.paypal.com/checkoutnow?token=1",
        "https://www.paypal.com?x",
        "https://www.paypal.com#https://x",
        "https://www.sandbox.paypal.com/checkoutnow",
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        cr_expect(pay_page_ok(good[i], HOSTS), "%s", good[i]);
}

Test(page, any_other_url_is_refused)
{
    static const char *const bad[] = {
        "",
        "https://",
        "https:///www.paypal.com",
        "http://www.paypal.com/",
        "HTTPS://www.paypal.com/",
        " https://www.paypal.com/",
        "javascript:alert(1)//https://www.paypal.com",
        "//www.paypal.com/",
        "/checkoutnow",
        "https://paypal.com/",
        "https://www.paypal.co/",
        "https://www.paypal.com.evil.example/",
        "https://evil.example/www.paypal.com",
        "https://evilwww.paypal.com/",
        "https://www.paypal.com@evil.example/",
        "https://www.paypal.com:x@evil.example/",
        "https://www.paypal.com:444/",
        "https://www.paypal.com./",
        "https://www.paypal.com\\@evil.example/",
        "https://www.paypal.com\t.evil.example/",
        "https://www.paypal.com www.sandbox.paypal.com/",
        "https://evil.example?www.paypal.com",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        cr_expect(!pay_page_ok(bad[i], HOSTS), "%s", bad[i]);
    cr_expect(!pay_page_ok("https://www.paypal.com/", ""));
}
