/* How a session is displayed: a short name from a header that may contain anything. */
#include "api/signin/device.h"

#include <criterion/criterion.h>
#include <string.h>

static void reads(const char *user_agent, const char *app, const char *system)
{
    struct api_device device;
    memset(&device, 'x', sizeof(device));
    api_device_read(user_agent, &device);
    cr_expect_str_eq(device.app, app, "%s: %s", user_agent ? user_agent : "none", device.app);
    cr_expect_str_eq(device.system, system, "%s: %s", user_agent ? user_agent : "none", device.system);
}

Test(device, browsers_are_recognized_by_their_own_name)
{
    reads("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox", "Linux");
    reads("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
          "Mobile Safari/537.36",
          "Chrome", "Android");
    reads("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
          "Safari/537.36 Edg/126.0.0.0",
          "Edge", "Windows");
    reads("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.5 Mobile/15E148 Safari/604.1",
          "Safari", "iOS");
    reads("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.5 Safari/605.1.15",
          "Safari", "macOS");
}

Test(device, other_clients_are_recognized_by_their_first_product_name)
{
    reads("RummyApp/2.1 (Android 14)", "RummyApp", "Android");
    reads("curl/8.5.0", "curl", "");
    reads("a.b_c-9", "a.b_c-9", "");
}

Test(device, unexpected_characters_are_dropped)
{
    char longest[2048];
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    reads(NULL, "", "");
    reads("", "", "");
    reads("Mozilla/5.0", "", "");
    reads("<script>alert(1)</script>", "", "");
    reads("Rummy\xE2\x80\xAE"
          "App",
          "Rummy", "");
    reads("\xFF\xFE", "", "");
    reads(longest, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "");
}
