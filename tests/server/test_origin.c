/* The allow-list of origins. */
#include <criterion/criterion.h>

#include "server/edge/origin.h"

Test(origin, only_listed_origins_are_allowed)
{
    const char *list = "https://rummy.example, https://www.rummy.example";
    cr_assert(srv_origin_allowed(list, false, "https://rummy.example"));
    cr_assert(srv_origin_allowed(list, false, "https://www.rummy.example"));
    cr_assert(!srv_origin_allowed(list, false, "http://rummy.example"));
    cr_assert(!srv_origin_allowed(list, false, "https://rummy.example.evil"));
    cr_assert(!srv_origin_allowed(list, false, "https://rummy"));
    cr_assert(!srv_origin_allowed(list, false, "http://localhost:5173"));
    cr_assert(!srv_origin_allowed("", false, ""));
}

Test(origin, dev_mode_allows_local_origins)
{
    cr_assert(srv_origin_allowed("", true, "http://localhost:5173"));
    cr_assert(srv_origin_allowed("", true, "http://127.0.0.1"));
    cr_assert(!srv_origin_allowed("", true, "http://localhost.evil"));
    cr_assert(!srv_origin_allowed("", true, "http://localhost:80.evil"));
    cr_assert(!srv_origin_allowed("", true, "null"));
}
