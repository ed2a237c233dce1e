/* Which coding an Accept-Encoding selects. */
#include <criterion/criterion.h>

#include "api/core/coding.h"

static const unsigned both = 1u << API_GZIP | 1u << API_BR;

Test(coding, the_highest_weight_wins_and_br_among_equals)
{
    static const struct {
        const char *header;
        enum api_coding coding;
    } rows[] = {
        {NULL, API_IDENTITY},
        {"", API_IDENTITY},
        {"gzip, deflate, br, zstd", API_BR},
        {"gzip, deflate", API_GZIP},
        {"deflate, zstd", API_IDENTITY},
        {"GZIP", API_GZIP},
        {"x-gzip", API_GZIP},
        {"br;q=0.8, gzip", API_GZIP},
        {"br;q=0.801, gzip;q=0.8", API_BR},
        {"br ; q=0.2 ,gzip;Q=0.1", API_BR},
        {"br;q=0, gzip;q=0.001", API_GZIP},
        {"br;q=0.000, gzip;q=0", API_IDENTITY},
        {"br;q=1.000", API_BR},
        {"*", API_BR},
        {"*;q=0.5, br;q=0", API_GZIP},
        {"*;q=0", API_IDENTITY},
        {"identity", API_IDENTITY},
        {"identity, gzip;q=0.5", API_IDENTITY},
        {"identity;q=0.5, gzip;q=0.5", API_GZIP},
        {"identity;q=0, gzip", API_GZIP},
        {",, br ,", API_BR},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_assert_eq(api_coding_accepted(rows[i].header, both), rows[i].coding, "%s", rows[i].header);
}

Test(coding, malformed_lists_get_the_identity_coding)
{
    static const char *const bad[] = {"br gzip",    "br;",     "br;q",       "br;q=", "br;q=2",
                                      "br;q=1.001", "br;q=-1", "br;q=a",     ";q=1",  "br;p=1",
                                      "br;q=0.5x",  "\"br\"",  "br;q=1;q=1", "br=1"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_eq(api_coding_accepted(bad[i], both), API_IDENTITY, "%s", bad[i]);
}

Test(coding, only_available_codings_are_chosen)
{
    cr_assert_eq(api_coding_accepted("gzip, br", 1u << API_GZIP), API_GZIP);
    cr_assert_eq(api_coding_accepted("gzip;q=0.5, br", 1u << API_GZIP), API_GZIP);
    cr_assert_eq(api_coding_accepted("*", 1u << API_GZIP), API_GZIP);
    cr_assert_eq(api_coding_accepted("br", 0), API_IDENTITY);
}
