/* Dates and durations of emails: worked examples in each language, and invalid dates. */
#include "mail/date.h"
#include "mail/span.h"
#include "mail/template.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *written(const char *language, const char *at, enum mail_date_form form)
{
    static char text[200];
    struct buf out = buf_on(text, sizeof(text) - 1);
    if (!mail_date_write(&out, language, at, form) || out.full)
        return "refused";
    text[out.len] = '\0';
    return text;
}

struct example {
    const char *language, *at, *day, *time;
};

#define NBSP "\xC2\xA0"

Test(date, worked_examples_hold_in_every_language)
{
    static const struct example examples[] = {
        {"en", "2026-11-30T16:05:00.000Z", "November 30, 2026", "November 30, 2026, at 4:05 PM UTC"},
        {"en", "2027-01-01T00:30:00.000Z", "January 1, 2027", "January 1, 2027, at 12:30 AM UTC"},
        {"en", "2026-05-09T12:00:00.000Z", "May 9, 2026", "May 9, 2026, at 12:00 PM UTC"},
        {"de", "2026-11-30T16:05:00.000Z", "30. November 2026", "30. November 2026 um 16:05 Uhr (UTC)"},
        {"de", "2027-03-01T00:30:00.000Z", "1. März 2027", "1. März 2027 um 0:30 Uhr (UTC)"},
        {"fr", "2026-11-30T16:05:00.000Z", "30 novembre 2026",
         "30 novembre 2026 à 16" NBSP "h" NBSP "05 (UTC)"},
        {"fr", "2026-08-01T09:00:00.000Z", "1er août 2026", "1er août 2026 à 9" NBSP "h" NBSP "00 (UTC)"},
        {"hi", "2026-11-30T16:05:00.000Z", "30 नवंबर 2026", "30 नवंबर 2026, 16:05 बजे (UTC)"},
        {"hi", "2027-02-01T09:07:00.000Z", "1 फ़रवरी 2027", "1 फ़रवरी 2027, 9:07 बजे (UTC)"},
        {"tr", "2027-08-01T09:07:00.000Z", "1 Ağustos 2027", "1 Ağustos 2027, 9:07 (UTC)"},
        {"sr-Latn", "2026-11-30T16:05:00.000Z", "30. novembra 2026.", "30. novembra 2026. u 16:05 (UTC)"},
        {"sr-Latn", "2027-08-01T09:07:00.000Z", "1. avgusta 2027.", "1. avgusta 2027. u 9:07 (UTC)"},
        {"sr-Cyrl", "2026-11-30T16:05:00.000Z", "30. новембра 2026.", "30. новембра 2026. у 16:05 (UTC)"},
        {"sr-Cyrl", "2027-08-01T09:07:00.000Z", "1. августа 2027.", "1. августа 2027. у 9:07 (UTC)"},
        {"ru", "2026-11-30T16:05:00.000Z", "30 ноября 2026 года", "30 ноября 2026 года, 16:05 (UTC)"},
        {"ru", "2027-05-01T09:07:00.000Z", "1 мая 2027 года", "1 мая 2027 года, 9:07 (UTC)"},
        {"ro", "2026-11-30T16:05:00.000Z", "30 noiembrie 2026", "30 noiembrie 2026, ora 16:05 (UTC)"},
        {"ro", "2027-03-01T09:07:00.000Z", "1 martie 2027", "1 martie 2027, ora 9:07 (UTC)"},
        {"pl", "2026-11-30T16:05:00.000Z", "30 listopada 2026", "30 listopada 2026, godz. 16:05 (UTC)"},
        {"pl", "2027-09-01T09:07:00.000Z", "1 września 2027", "1 września 2027, godz. 9:07 (UTC)"},
        {"es", "2026-11-30T16:05:00.000Z", "30 de noviembre de 2026",
         "30 de noviembre de 2026 a las 16:05 (UTC)"},
        {"es", "2027-01-01T09:07:00.000Z", "1 de enero de 2027", "1 de enero de 2027 a las 9:07 (UTC)"},
        {"hr", "2026-11-30T16:05:00.000Z", "30. studenoga 2026.", "30. studenoga 2026. u 16:05 (UTC)"},
        {"hr", "2027-08-01T09:07:00.000Z", "1. kolovoza 2027.", "1. kolovoza 2027. u 9:07 (UTC)"},
        {"bn", "2026-11-30T16:05:00.000Z", "30 নভেম্বর 2026", "30 নভেম্বর 2026, 16:05 (UTC)"},
        {"bn", "2027-02-01T09:07:00.000Z", "1 ফেব্রুয়ারি 2027", "1 ফেব্রুয়ারি 2027, 9:07 (UTC)"},
        {"te", "2026-11-30T16:05:00.000Z", "30 నవంబర్ 2026", "30 నవంబర్ 2026, 16:05 (UTC)"},
        {"ta", "2026-11-30T16:05:00.000Z", "30 நவம்பர், 2026", "30 நவம்பர், 2026, 16:05 (UTC)"},
        {"ta", "2027-02-01T09:07:00.000Z", "1 பிப்ரவரி, 2027", "1 பிப்ரவரி, 2027, 9:07 (UTC)"},
        {"xx", "2026-11-30 16:05 UTC", "November 30, 2026", "November 30, 2026, at 4:05 PM UTC"},
    };
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        const struct example *e = &examples[i];
        cr_expect_str_eq(written(e->language, e->at, MAIL_DATE_DAY), e->day, "%s %s", e->language, e->at);
        cr_expect_str_eq(written(e->language, e->at, MAIL_DATE_TIME), e->time, "%s %s", e->language, e->at);
    }
}

/* Each language of emails has its own names of months and its own patterns. */
Test(date, every_language_has_its_own_month_names)
{
    char before[200] = "";
    for (size_t i = 0; mail_language_at(i); i++) {
        const char *language = mail_language_at(i);
        for (int month = 1; month <= 12; month++) {
            char at[24], day[200];
            (void)snprintf(at, sizeof(at), "2026-%02d-15T16:05", month);
            (void)snprintf(day, sizeof(day), "%s", written(language, at, MAIL_DATE_DAY));
            cr_expect(strstr(day, "15") && strstr(day, "2026"), "%s: %s", language, day);
            cr_expect(strcmp(day, before) != 0, "%s: %s", language, day);
            cr_expect(i == 0 || strcmp(day, written("en", at, MAIL_DATE_DAY)) != 0, "%s: %s", language, day);
            (void)snprintf(before, sizeof(before), "%s", day);
        }
    }
}

Test(date, a_day_does_not_require_a_time)
{
    cr_expect_str_eq(written("en", "2026-11-30", MAIL_DATE_DAY), "November 30, 2026");
    cr_expect_str_eq(written("en", "2026-11-30", MAIL_DATE_TIME), "refused");
}

Test(date, invalid_dates_are_refused)
{
    static const char *const bad[] = {"",           "2026",       "2026-11-3",     "2026/11/30",
                                      "2026-13-01", "2026-00-10", "2026-11-00",    "2026-11-32",
                                      "0000-11-30", "2O26-11-30", "tomorrow, noon"};
    static const char *const bad_time[] = {"2026-11-30T",      "2026-11-30T16",    "2026-11-30T24:00",
                                           "2026-11-30T16:60", "2026-11-30x16:05", "2026-11-30T16.05"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_str_eq(written("en", bad[i], MAIL_DATE_DAY), "refused", "%s", bad[i]);
    for (size_t i = 0; i < sizeof(bad_time) / sizeof(bad_time[0]); i++)
        cr_expect_str_eq(written("en", bad_time[i], MAIL_DATE_TIME), "refused", "%s", bad_time[i]);
}

static const char *lasting(const char *language, int64_t seconds)
{
    static char text[200];
    struct buf out = buf_on(text, sizeof(text) - 1);
    mail_span_write(&out, language, seconds);
    text[out.len] = '\0';
    return text;
}

Test(span, the_unit_follows_the_length)
{
    static const struct {
        int64_t seconds;
        const char *text;
    } examples[] = {
        {0, "1 minute"},     {59, "1 minute"},     {60, "1 minute"},   {3599, "59 minutes"},
        {3600, "1 hour"},    {5400, "90 minutes"}, {7200, "2 hours"},  {9000, "2 hours"},
        {86400, "24 hours"}, {172799, "47 hours"}, {172800, "2 days"}, {604800, "7 days"},
    };
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        cr_expect_str_eq(lasting("en", examples[i].seconds), examples[i].text);
        cr_expect_str_eq(lasting("xx", examples[i].seconds), examples[i].text);
    }
}

Test(span, numbers_follow_the_language)
{
    cr_expect_str_eq(lasting("de", 60), "eine Minute");
    cr_expect_str_eq(lasting("de", 172800), "2 Tage");
    cr_expect_str_eq(lasting("fr", 3600), "une heure");
    cr_expect_str_eq(lasting("hi", 3600), "एक घंटे");
    cr_expect_str_eq(lasting("sr-Latn", 3600), "jednog sata");
    cr_expect_str_eq(lasting("sr-Latn", 7200), "2 sata");
    cr_expect_str_eq(lasting("sr-Latn", 5 * 3600), "5 sati");
    cr_expect_str_eq(lasting("sr-Latn", 21 * 3600), "21 sata");
    cr_expect_str_eq(lasting("sr-Cyrl", 30 * 60), "30 минута");
    cr_expect_str_eq(lasting("pl", 3600), "jednej godziny");
    cr_expect_str_eq(lasting("pl", 3 * 3600), "3 godzin");
    cr_expect_str_eq(lasting("ru", 3600), "часа");
    cr_expect_str_eq(lasting("ru", 2 * 3600), "2 часов");
    cr_expect_str_eq(lasting("ru", 21 * 3600), "21 часа");
    cr_expect_str_eq(lasting("ru", 31 * 60), "31 минуты");
    cr_expect_str_eq(lasting("ro", 3600), "o oră");
    cr_expect_str_eq(lasting("ro", 19 * 3600), "19 ore");
    cr_expect_str_eq(lasting("ro", 20 * 3600), "20 de ore");
    cr_expect_str_eq(lasting("es", 60), "un minuto");
    cr_expect_str_eq(lasting("es", 2 * 3600), "2 horas");
    cr_expect_str_eq(lasting("bn", 3600), "এক ঘণ্টা");
    cr_expect_str_eq(lasting("bn", 2 * 3600), "2 ঘণ্টা");
    cr_expect_str_eq(lasting("hr", 60), "jedne minute");
    cr_expect_str_eq(lasting("hr", 2 * 60), "2 minute");
    cr_expect_str_eq(lasting("hr", 21 * 3600), "21 sata");
    cr_expect_str_eq(lasting("te", 60), "ఒక నిమిషం");
    cr_expect_str_eq(lasting("te", 2 * 3600), "2 గంటల");
    cr_expect_str_eq(lasting("ta", 3600), "ஒரு மணிநேரம்");
    cr_expect_str_eq(lasting("ta", 2 * 24 * 3600), "2 நாள்");
}

Test(span, every_language_has_its_own_words)
{
    for (size_t i = 1; mail_language_at(i); i++)
        for (int64_t hours = 2; hours < 100; hours *= 24) {
            char english[200];
            (void)snprintf(english, sizeof(english), "%s", lasting("en", hours * 3600));
            cr_expect_str_neq(lasting(mail_language_at(i), hours * 3600), english, "%s", mail_language_at(i));
        }
}
