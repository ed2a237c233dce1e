/* Passwords: how their length is counted, which are rejected, and which match which hash. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/core/password.h"
#include "api/core/unicode.h"
#include "api/signin/password_rules.h"
#include "base/bug.h"
#include "base/embed.h"

extern const struct embed_file api_common_passwords[];

#define U_COMPOSED "\xC3\xBC" /* ü */
#define U_TYPED "u\xCC\x88"   /* u and two dots */

Test(unicode, equivalent_input_has_one_normal_form)
{
    char out[64];
    cr_assert(api_unicode_nfc("gr" U_TYPED "n", out, sizeof(out)));
    cr_expect_str_eq(out, "gr" U_COMPOSED "n");
    cr_assert(api_unicode_nfc("gr" U_COMPOSED "n", out, sizeof(out)));
    cr_expect_str_eq(out, "gr" U_COMPOSED "n");
    cr_assert(api_unicode_nfc("\xEA\xB0\x81", out, sizeof(out))); /* 각 */
    char again[64];
    cr_assert(
        api_unicode_nfc("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", again, sizeof(again))); /* from three jamo */
    cr_expect_str_eq(again, out);
    cr_assert(api_unicode_nfc("", out, sizeof(out)));
    cr_expect_str_eq(out, "");
    cr_assert(
        api_unicode_nfc("\xEF\xBC\xA1", out, sizeof(out))); /* NFC keeps the wide A as a different letter */
    cr_expect_str_eq(out, "\xEF\xBC\xA1");
}

Test(unicode, folding_removes_case_and_width)
{
    char out[64];
    cr_assert(api_unicode_fold("PassWord \xEF\xBC\xA1\xEF\xBC\x91 STRASSE stra\xC3\x9F"
                               "e",
                               out, sizeof(out)));
    cr_expect_str_eq(out, "password a1 strasse strasse");
}

Test(unicode, text_that_does_not_fit_is_reported_and_leaves_an_empty_string)
{
    char out[8] = "before", long_text[5000];
    cr_expect(!api_unicode_nfc("eight ch", out, sizeof(out)));
    cr_expect_str_eq(out, "");
    cr_expect(api_unicode_nfc("seven c", out, sizeof(out)));
    cr_expect(!api_unicode_nfc("\xFF\xFE", out, sizeof(out)), "no UTF-8");
    cr_expect_str_eq(out, "");
    memset(long_text, 'x', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = '\0';
    char room[6000];
    cr_expect(!api_unicode_nfc(long_text, room, sizeof(room)));
    cr_expect_str_eq(room, "");
}

Test(password, characters_are_counted_in_the_hashed_form)
{
    char text[4 * 129 + 1] = "";
    cr_expect_eq(api_password_length(""), 0);
    cr_expect_eq(api_password_length("seven 7"), 7);
    cr_expect_eq(api_password_length(U_TYPED U_TYPED), 2);
    cr_expect_eq(api_password_length("\xF0\x9F\x82\xA1"), 1); /* a playing card */
    for (int i = 0; i < 128; i++)
        strcat(text, U_TYPED);
    cr_expect_eq(api_password_length(text), 128);
    text[0] = '\0';
    for (int i = 0; i < 128; i++)
        strcat(text, "\xF0\x9F\x82\xA1");
    cr_expect_eq(api_password_length(text), 128);
    char endless[2000];
    memset(endless, 'x', sizeof(endless) - 1);
    endless[sizeof(endless) - 1] = '\0';
    cr_expect_gt(api_password_length(endless), API_PASSWORD_CHARS_MAX);
}

static enum api_fault_code judge(const char *password)
{
    return api_password_judge(password, "mia.berg@example.org", "Bella Wanderer");
}

Test(password, common_passwords_are_refused_regardless_of_case)
{
    static const char *const common[] = {
        "password",   "PASSWORD", "Password1", "12345678",  "iloveyou",
        "qwertyuiop", "trustno1", "football",  "sunshine1", "\xEF\xBD\x90\xEF\xBD\x81ssword"};
    for (size_t i = 0; i < ARRAY_LEN(common); i++)
        cr_expect_eq(judge(common[i]), API_FAULT_PASSWORD_TOO_COMMON, "%s", common[i]);
    static const char *const others[] = {"password of mine", "12345678 camels", "correct horse",
                                         "Tr0ub4dor&3", "zzzzzzzzzzzzzzzzzzzzzzzz"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        cr_expect_eq(judge(others[i]), API_FAULT_NONE, "%s", others[i]);
}

/* The file has the format that the search expects, and the search finds every line. */
Test(password, the_common_password_list_is_folded_sorted_and_searchable)
{
    const char *line = api_common_passwords[0].data, *last = line + api_common_passwords[0].len;
    char before[128] = "";
    int n = 0;
    for (; line < last; n++) {
        char text[128], folded[128];
        size_t len = strcspn(line, "\n");
        cr_assert(len > 0 && len < sizeof(text));
        (void)snprintf(text, sizeof(text), "%.*s", (int)len, line);
        cr_assert_lt(strcmp(before, text), 0, "%s before %s", before, text);
        cr_assert(api_unicode_fold(text, folded, sizeof(folded)));
        cr_assert_str_eq(folded, text);
        cr_assert_geq(api_password_length(text), API_PASSWORD_CHARS_MIN);
        cr_assert_eq(api_password_judge(text, NULL, NULL), API_FAULT_PASSWORD_TOO_COMMON, "%s", text);
        (void)snprintf(before, sizeof(before), "%s", text);
        line += len + 1;
    }
    cr_assert_eq(n, 15000);
}

Test(password, passwords_made_mostly_of_names_are_refused)
{
    static const char *const context[] = {
        "rummy51!",        "RummyRummyRummy", "rummy 51 2026",  "rummyd-2026",          "wanderer1985",
        "Bella.Wanderer!", "mia.berg1",       "BERG-berg-berg", "mia.berg@example.org", "bellarummyberg7"};
    for (size_t i = 0; i < ARRAY_LEN(context); i++)
        cr_expect_eq(judge(context[i]), API_FAULT_PASSWORD_IS_CONTEXT, "%s", context[i]);
    static const char *const others[] = {"rummy with my aunt", "bella 8 letter", "wanderer above the fog"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        cr_expect_eq(judge(others[i]), API_FAULT_NONE, "%s", others[i]);
    cr_expect_eq(api_password_judge("wanderer1985", NULL, NULL), API_FAULT_NONE);
    /* Short names would match almost every password. */
    cr_expect_eq(api_password_judge("oasis oasis", "o.a@example.org", "si"), API_FAULT_NONE);
    cr_expect_eq(api_password_judge("\xC3\x9C"
                                    "berflieger7",
                                    "x@example.org",
                                    "U\xCC\x88"
                                    "berflieger"),
                 API_FAULT_PASSWORD_IS_CONTEXT);
}

Test(password, matches_in_any_unicode_form)
{
    char hash[API_PASSWORD_HASH_MAX];
    cr_assert(sodium_init() >= 0);
    cr_assert(api_password_hash("gr" U_TYPED "ne Wiesen", hash));
    cr_expect(api_password_fits("gr" U_COMPOSED "ne Wiesen", hash));
    cr_expect(api_password_fits("gr" U_TYPED "ne Wiesen", hash));
    cr_expect(!api_password_fits("grune Wiesen", hash));
}

Test(password, a_hash_of_the_unnormalized_form_still_matches)
{
    static const char typed[] = "gr" U_TYPED "ne Wiesen";
    char hash[API_PASSWORD_HASH_MAX];
    cr_assert(sodium_init() >= 0);
    cr_assert_eq(crypto_pwhash_str(hash, typed, strlen(typed), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                   crypto_pwhash_MEMLIMIT_INTERACTIVE),
                 0);
    cr_expect(api_password_fits(typed, hash));
    cr_expect(!api_password_fits("gr" U_COMPOSED "ne Wiesen", hash),
              "it was a different text before normalization");
}
