/* Templates: filled, refused, the same places in every language; and which language a header asks for. */
#include "base/embed.h"
#include "mail/template.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define MAIL_LANGUAGE(name)                                                                                  \
    extern const struct embed_file mail_templates_##name[];                                                  \
    extern const size_t mail_templates_##name##_n;
#include "mail/languages.def"
#undef MAIL_LANGUAGE

static struct mail_text out;
static char why[MAIL_WHY_MAX];

static bool fill(const char *language, const char *name, json_t *values)
{
    bool ok = mail_template_fill(&out, language, name, "https://play.example", values, why);
    json_decref(values);
    return ok;
}

Test(template, places_are_filled)
{
    cr_assert(fill("en", "verify", json_pack("{s:s}", "token", "abc")), "%s", why);
    cr_expect_str_eq(out.subject, "Confirm your email address");
    cr_expect(strstr(out.body, "\nhttps://play.example/verify#abc\n"), "%s", out.body);
    cr_expect_null(strstr(out.body, "{{"));
    cr_assert(fill("de", "verify", json_pack("{s:I}", "token", (json_int_t)12)), "%s", why);
    cr_expect_str_eq(out.subject, "Bitte E-Mail-Adresse best\xC3\xA4tigen");
    cr_expect(strstr(out.body, "/verify#12\n"));
    cr_assert(fill("xx", "verify", json_pack("{s:s}", "token", "abc")));
    cr_expect_str_eq(out.subject, "Confirm your email address");
}

Test(template, what_cannot_be_filled_is_refused)
{
    char longest[MAIL_VALUE_MAX + 2];
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    json_t *const bad[] = {json_object(),
                           json_null(),
                           json_pack("{s:n}", "token"),
                           json_pack("{s:[]}", "token"),
                           json_pack("{s:s}", "token", "a\nb"),
                           json_pack("{s:s}", "token", "a\r"),
                           json_pack("{s:s#}", "token", "a\0b", 3),
                           json_pack("{s:s}", "token", longest)};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cr_expect(!fill("en", "verify", bad[i]), "%zu", i);
        cr_expect_str_eq(why, "the place token has no value, or a bad one", "%zu: %s", i, why);
    }
    cr_expect(!fill("en", "no_such", json_object()));
    cr_expect_str_eq(why, "there is no template no_such");
    cr_expect(!fill("en", "../en/verify", json_object()));
}

/* "{{token}} {{site}} " of a file, each place once, in the order of the alphabet. */
static void places(const struct embed_file *file, char *into, size_t cap)
{
    char seen[20][MAIL_NAME_MAX];
    size_t n = 0;
    for (const char *at = file->data; (at = strstr(at, "{{")); at += 2) {
        char name[MAIL_NAME_MAX];
        cr_assert_eq(sscanf(at, "{{%39[a-z_]}}", name), 1, "%s: %.20s", file->name, at);
        size_t i = 0;
        while (i < n && strcmp(seen[i], name) < 0)
            i++;
        if (i < n && strcmp(seen[i], name) == 0)
            continue;
        cr_assert_lt(n, 20);
        memmove(&seen[i + 1], &seen[i], (n - i) * sizeof(seen[0]));
        (void)snprintf(seen[i], sizeof(seen[i]), "%s", name);
        n++;
    }
    into[0] = '\0';
    for (size_t i = 0; i < n; i++)
        (void)snprintf(into + strlen(into), cap - strlen(into), "%s ", seen[i]);
}

static void compare(const char *language, const struct embed_file *files, size_t n)
{
    cr_expect_eq(n, mail_templates_en_n, "%s has %zu templates", language, n);
    for (size_t i = 0; i < n && i < mail_templates_en_n; i++) {
        char here[800], there[800];
        cr_assert_str_eq(files[i].name, mail_templates_en[i].name, "%s", language);
        places(&files[i], here, sizeof(here));
        places(&mail_templates_en[i], there, sizeof(there));
        cr_expect_str_eq(here, there, "%s/%s", language, files[i].name);
        cr_expect_eq(strncmp(files[i].data, "Subject: ", 9), 0);
        cr_expect_eq(strncmp(strchr(files[i].data, '\n'), "\n\n", 2), 0);
    }
}

Test(template, every_language_has_the_same_mails_with_the_same_places)
{
#define MAIL_LANGUAGE(name) compare(#name, mail_templates_##name, mail_templates_##name##_n);
#include "mail/languages.def"
#undef MAIL_LANGUAGE
    cr_expect_str_eq(mail_language_at(0), "en");
    cr_expect_str_eq(mail_language_at(1), "de");
    cr_expect_null(mail_language_at(2));
}

Test(template, the_language_of_a_request)
{
    static const char *const cases[][2] = {
        {"", "en"},
        {"de", "de"},
        {"DE-at", "de"},
        {"fr-FR, de;q=0.8, en;q=0.7", "de"},
        {"en;q=0.7,de;q=0.8", "de"},
        {"de;q=0.5, en;q=0.5", "de"},
        {"de;q=0, en;q=0.1", "en"},
        {"de;q=0", "en"},
        {"de;q=0.001, en;q=0.0009", "de"},
        {"fr, it", "en"},
        {"de;;;q=,,;", "en"},
        {"den", "en"},
        {"*", "en"},
        {"d", "en"},
        {",,,,de", "de"},
        {"en;q=1.0,de;q=1", "en"},
        {"de ; q=0.9, en;q=0.95", "en"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_expect_str_eq(mail_language_of(cases[i][0]), cases[i][1], "%s", cases[i][0]);
    cr_expect_str_eq(mail_language_of(NULL), "en");
}
