/* Templates: filled in, rejected, the same placeholders in every language, and which language a header
 * selects. */
#include "base/embed.h"
#include "mail/plural.h"
#include "mail/template.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define MAIL_LANGUAGE(name, tag)                                                                             \
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

Test(template, placeholders_are_filled)
{
    cr_assert(fill("en", "verify", json_pack("{s:s, s:i}", "token", "abc", "valid_s", 86400)), "%s", why);
    cr_expect_str_eq(out.subject, "Confirm your email address");
    cr_expect(strstr(out.body, "\nhttps://play.example/verify#abc\n"), "%s", out.body);
    cr_expect_null(strstr(out.body, "{{"));
    cr_assert(fill("de", "verify", json_pack("{s:I, s:i}", "token", (json_int_t)12, "valid_s", 86400)), "%s",
              why);
    cr_expect_str_eq(out.subject, "Bitte E-Mail-Adresse best\xC3\xA4tigen");
    cr_expect(strstr(out.body, "/verify#12\n"));
    cr_assert(fill("xx", "verify", json_pack("{s:s, s:i}", "token", "abc", "valid_s", 86400)));
    cr_expect_str_eq(out.subject, "Confirm your email address");
}

/* "Mia" in Hebrew, wrapped in FSI and PDI (Unicode directional isolates). */
Test(template, a_right_to_left_name_is_isolated)
{
    cr_assert(fill("en", "push_friend", json_pack("{s:s}", "nickname", "\u05de\u05d9\u05d4")), "%s", why);
    cr_expect_str_eq(out.subject, "\u2068\u05de\u05d9\u05d4\u2069 wants to be your friend");
    cr_assert(fill("en", "push_friend", json_pack("{s:s}", "nickname", "Mia")), "%s", why);
    cr_expect_str_eq(out.subject, "Mia wants to be your friend");
}

static const char *left(const char *language, int n)
{
    static char sentence[200];
    cr_assert(fill(language, "recovery_code_used", json_pack("{s:i}", "left", n)), "%s", why);
    char digits[16];
    (void)snprintf(digits, sizeof(digits), "%d", n);
    const char *at = strstr(out.body, digits);
    cr_assert(at, "%s", out.body);
    while (at[-1] != '.' && at[-1] != '\n')
        at--;
    at += strspn(at, " ");
    (void)snprintf(sentence, sizeof(sentence), "%.*s", (int)strcspn(at, "."), at);
    return sentence;
}

Test(template, plural_forms_follow_the_language)
{
    cr_expect_str_eq(left("en", 1), "1 code is left");
    cr_expect_str_eq(left("en", 7), "7 codes are left");
    cr_expect_str_eq(left("de", 1), "Es ist noch 1 Code \xC3\xBC"
                                    "brig");
    cr_expect_str_eq(left("sr-Latn", 1), "Preostao je 1 kod");
    cr_expect_str_eq(left("sr-Latn", 3), "Preostala su 3 koda");
    cr_expect_str_eq(left("sr-Latn", 9), "Preostalo je 9 kodova");
    cr_expect_str_eq(left("sr-Latn", 11), "Preostalo je 11 kodova");
    cr_assert(fill("en", "recovery_code_used", json_pack("{s:i}", "left", 0)));
    cr_expect(strstr(out.body, "No codes are left."), "%s", out.body);
    cr_expect(!fill("en", "recovery_code_used", json_pack("{s:s}", "left", "1")));
    cr_expect_str_eq(why, "the placeholder left has no value or an invalid one");
}

static void known_forms(const char *language, const struct embed_file *files, size_t n)
{
    size_t seen = 0;
    for (size_t i = 0; i < n; i++)
        for (const char *at = files[i].data; (at = strstr(at, "{{")); at += 2) {
            char name[MAIL_NAME_MAX], after;
            cr_assert_eq(sscanf(at, "{{%39[a-z_]%c", name, &after), 2);
            const char *form = strcmp(name, "day") == 0       ? ":date"
                               : strcmp(name, "until") == 0   ? ":time"
                               : strcmp(name, "valid_s") == 0 ? ":span"
                                                              : NULL;
            cr_expect_eq(after == ':', form != NULL, "%s/%s: %s", language, files[i].name, name);
            if (form)
                cr_expect_eq(strncmp(at + 2 + strlen(name), form, 5), 0, "%s/%s", language, files[i].name);
            seen += form != NULL;
        }
    cr_expect_gt(seen, 2, "%s", language);
}

/* The whole sentence around each date, as the reader sees it. */
Test(template, dates_follow_the_language)
{
    static const char *const sentences[][3] = {
        {"en", "We will delete it on November 30, 2026 (UTC), once",
         "Play before November 30, 2026, at 4:05 PM UTC, or the turn will be played for you:"},
        {"de", "Wir löschen es am 30. November 2026 (UTC), sobald",
         "Spielen Sie bis zum 30. November 2026 um 16:05 Uhr (UTC), sonst wird der Zug für Sie gespielt:"},
        {"fr", "Nous le supprimerons le 30 novembre 2026 (UTC), une fois",
         "Jouez avant le 30 novembre 2026 à 16\u00A0h\u00A005 (UTC), sinon votre tour sera joué à votre "
         "place\u00A0:"},
        {"hi", "हम इसे 30 नवंबर 2026 (UTC) को",
         "30 नवंबर 2026, 16:05 बजे (UTC) तक खेलें, वरना बारी आपकी ओर से खेल दी जाएगी:"},
        {"sr-Latn", "Obrisaćemo ga 30. novembra 2026. (UTC), kada",
         "Odigrajte do 30. novembra 2026. u 16:05 (UTC), inače će potez biti odigran umesto vas:"},
        {"sr-Cyrl", "Обрисаћемо га 30. новембра 2026. (UTC), када",
         "Одиграјте до 30. новембра 2026. у 16:05 (UTC), иначе ће потез бити одигран уместо вас:"},
        {"pl", "Usuniemy je 30 listopada 2026 (UTC), po",
         "Zagraj do 30 listopada 2026, godz. 16:05 (UTC), inaczej tura zostanie rozegrana za Ciebie:"},
        {"ru", "Мы сделаем это 30 ноября 2026 года (UTC), когда",
         "Сыграйте до 30 ноября 2026 года, 16:05 (UTC), иначе ход сделают за вас:"},
        {"ro", "Îl ștergem pe 30 noiembrie 2026 (UTC), după",
         "Joacă până pe 30 noiembrie 2026, ora 16:05 (UTC), altfel tura se joacă în locul tău:"},
        {"es", "Lo haremos el 30 de noviembre de 2026 (UTC), cuando",
         "Juega antes del 30 de noviembre de 2026 a las 16:05 (UTC) o se jugará por ti:"},
        {"bn", "তা মোছা হবে 30 নভেম্বর 2026 (UTC), চলতি",
         "30 নভেম্বর 2026, 16:05 (UTC)-এর মধ্যে খেলুন, নইলে পালাটি আপনার হয়ে খেলা হবে:"},
        {"hr", "Izbrisat ćemo ga 30. studenoga 2026. (UTC), kad",
         "Odigraj do 30. studenoga 2026. u 16:05 (UTC), inače će se potez odigrati umjesto tebe:"},
        {"te", "30 నవంబర్ 2026 (UTC) నాడు తొలగిస్తాం", "30 నవంబర్ 2026, 16:05 (UTC) లోపు ఆడండి"},
        {"ta", "அது முடிந்ததும், 30 நவம்பர், 2026 (UTC) அன்று",
         "30 நவம்பர், 2026, 16:05 (UTC) ஆகும் முன் ஆடுங்கள்; இல்லையென்றால் உங்களுக்காக ஆடப்படும்:"},
    };
    for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
        const char *language = sentences[i][0];
        cr_assert(fill(language, "deletion_asked", json_pack("{s:s}", "day", "2026-11-30")), "%s", why);
        cr_expect(strstr(out.body, sentences[i][1]), "%s: %s", language, out.body);
        cr_assert(fill(language, "your_turn",
                       json_pack("{s:s, s:s}", "until", "2026-11-30T16:05:00.000Z", "table", "7")),
                  "%s", why);
        cr_expect(strstr(out.body, sentences[i][2]), "%s: %s", language, out.body);
    }
    cr_expect(!fill("en", "your_turn", json_pack("{s:s, s:s}", "until", "soon", "table", "7")));
    cr_expect_str_eq(why, "the placeholder until has no value or an invalid one");
    cr_expect(!fill("en", "your_turn", json_pack("{s:s}", "table", "7")));
}

/* The whole sentence around each duration, with a day, an hour, and a week. */
Test(template, durations_follow_the_language)
{
    static const char *const sentences[][4] = {
        {"en", "within 24 hours.", "within 1 hour.", "You can download it for 7 days:"},
        {"de", "Der Link ist 24 Stunden lang gültig", "Der Link ist eine Stunde lang gültig",
         "Sie können sie 7 Tage lang"},
        {"fr", "valable pendant 24 heures et", "valable pendant une heure et", "pendant 7 jours"},
        {"hi", "यह लिंक 24 घंटे तक", "यह लिंक एक घंटे तक", "आप इसे 7 दिन तक"},
        {"sr-Latn", "u roku od 24 sata.", "u roku od jednog sata.", "u roku od 7 dana:"},
        {"sr-Cyrl", "у року од 24 сата.", "у року од једног сата.", "у року од 7 дана:"},
        {"pl", "w ciągu 24 godzin.", "w ciągu jednej godziny.", "Możesz ją pobrać w ciągu 7 dni:"},
        {"ru", "в течение 24 часов.", "в течение часа.", "в течение 7 дней:"},
        {"ro", "valabil timp de 24 de ore.", "valabil timp de o oră.", "O poți descărca timp de 7 zile:"},
        {"es", "en un plazo de 24 horas.", "en un plazo de una hora.", "Puedes descargarla durante 7 días:"},
        {"bn", "একবারই চলে, 24 ঘণ্টা পর্যন্ত।", "একবারই চলে, এক ঘণ্টা পর্যন্ত।", "ডাউনলোড করা যাবে 7 দিন পর্যন্ত:"},
        {"hr", "u roku od 24 sata.", "u roku od jednog sata.", "u roku od 7 dana:"},
        {"te", "ఈ లింక్ 24 గంటల లోపు", "ఈ లింక్ ఒక గంట లోపు", "దాన్ని 7 రోజుల లోపు"},
        {"ta", "24 மணிநேரம் வரை செல்லும்.", "ஒரு மணிநேரம் வரை செல்லும்.", "7 நாள் வரை டவுன்லோடு"},
    };
    for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
        const char *language = sentences[i][0];
        cr_assert(fill(language, "verify", json_pack("{s:s, s:i}", "token", "abc", "valid_s", 86400)));
        cr_expect(strstr(out.body, sentences[i][1]), "%s: %s", language, out.body);
        cr_assert(fill(language, "reset", json_pack("{s:s, s:i}", "token", "abc", "valid_s", 3600)));
        cr_expect(strstr(out.body, sentences[i][2]), "%s: %s", language, out.body);
        cr_assert(fill(language, "export_ready", json_pack("{s:i}", "valid_s", 604800)));
        cr_expect(strstr(out.body, sentences[i][3]), "%s: %s", language, out.body);
    }
    cr_expect(!fill("en", "export_ready", json_object()));
    cr_expect_str_eq(why, "the placeholder valid_s has no value or an invalid one");
}

/* Every placeholder for a day, a time, or a duration has one of the known forms. */
Test(template, dates_and_durations_have_a_known_form)
{
#define MAIL_LANGUAGE(name, tag) known_forms(tag, mail_templates_##name, mail_templates_##name##_n);
#include "mail/languages.def"
#undef MAIL_LANGUAGE
}

/* Each placeholder with plural forms has a form for every category that its language uses for whole
 * numbers. */
static void plurals_complete(const char *language, const struct embed_file *file, size_t *seen)
{
    for (const char *at = file->data; (at = strstr(at, "{{")); at += 2) {
        const char *bar = at + 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz_");
        const char *close = strstr(at, "}}");
        cr_assert(close, "%s: %.20s", file->name, at);
        if (*bar != '|')
            continue;
        char forms[400];
        (void)snprintf(forms, sizeof(forms), "%.*s", (int)(close - bar), bar);
        for (int n = 0; n <= 200; n++) {
            char category[MAIL_CATEGORY_MAX], key[MAIL_CATEGORY_MAX + 3];
            mail_plural_category(language, n, category);
            (void)snprintf(key, sizeof(key), "|%s:", category);
            cr_assert(strstr(forms, key), "%s/%s lacks %s", language, file->name, key);
        }
        (*seen)++;
    }
}

static void all_plurals_complete(const char *language, const struct embed_file *files, size_t n)
{
    size_t seen = 0;
    for (size_t i = 0; i < n; i++)
        plurals_complete(language, &files[i], &seen);
    cr_expect_gt(seen, 0, "%s", language);
}

Test(template, plural_forms_are_complete_in_every_language)
{
#define MAIL_LANGUAGE(name, tag) all_plurals_complete(tag, mail_templates_##name, mail_templates_##name##_n);
#include "mail/languages.def"
#undef MAIL_LANGUAGE
}

/* A placeholder for a count has plural forms; the others are texts or ids. */
Test(template, counts_have_plural_forms)
{
    static const char others[] = " site token day until valid_s nickname provider season table name round ";
    for (size_t i = 0; i < mail_templates_en_n; i++)
        for (const char *at = mail_templates_en[i].data; (at = strstr(at, "{{")); at += 2) {
            char place[MAIL_NAME_MAX], word[MAIL_NAME_MAX + 2];
            cr_assert_eq(sscanf(at, "{{%39[a-z_]", place), 1);
            (void)snprintf(word, sizeof(word), " %s ", place);
            cr_expect(strstr(others, word) || at[2 + strlen(place)] == '|', "%s: %s",
                      mail_templates_en[i].name, place);
        }
}

Test(template, invalid_values_are_refused)
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
        cr_expect_str_eq(why, "the placeholder token has no value or an invalid one", "%zu: %s", i, why);
    }
    cr_expect(!fill("en", "no_such", json_object()));
    cr_expect_str_eq(why, "no template is named no_such");
    cr_expect(!fill("en", "../en/verify", json_object()));
}

/* "{{token}} {{site}} ": the placeholders of a file, each once, in alphabetical order. */
static void places(const struct embed_file *file, char *into, size_t cap)
{
    char seen[20][MAIL_NAME_MAX];
    size_t n = 0;
    for (const char *at = file->data; (at = strstr(at, "{{")); at += 2) {
        char name[MAIL_NAME_MAX];
        cr_assert_eq(sscanf(at, "{{%39[a-z_]", name), 1, "%s: %.20s", file->name, at);
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

Test(template, every_language_has_the_same_emails_with_the_same_placeholders)
{
#define MAIL_LANGUAGE(name, tag) compare(tag, mail_templates_##name, mail_templates_##name##_n);
#include "mail/languages.def"
#undef MAIL_LANGUAGE
    size_t n = 0;
#define MAIL_LANGUAGE(name, tag) cr_expect_str_eq(mail_language_at(n++), tag);
#include "mail/languages.def"
#undef MAIL_LANGUAGE
    cr_expect_str_eq(mail_language_at(0), "en");
    cr_expect_null(mail_language_at(n));
}

/* With the longest possible nickname (API_NAME_BYTES_MAX), and a long site URL. */
static void can_be_written(const char *language, const struct embed_file *file)
{
    static char bytes[MAIL_MESSAGE_MAX];
    char nickname[121] = "", name[MAIL_NAME_MAX], site[101] = "https://play.example/";
    for (size_t i = 0; i < 40; i++)
        memcpy(nickname + 3 * i, "\xE0\xA4\x95", 4);
    memset(site + strlen(site), 'x', sizeof(site) - 1 - strlen(site));
    (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(file->name, "."), file->name);
    json_t *values = json_pack("{s:s, s:s, s:i, s:s, s:s, s:i, s:s, s:i, s:s, s:s, s:i, s:i, s:i, s:i}",
                               "nickname", nickname, "name", nickname, "round", 14, "provider", nickname,
                               "token", nickname, "left", 10, "day", "2026-11-20", "season", 2000000000,
                               "table", "9000000000", "until", "2026-11-20T20:00:00.000Z", "passkeys", 10,
                               "providers", 0, "bot_tokens", 500, "valid_s", 604800);
    bool ok = mail_template_fill(&out, language, name, site, values, why);
    json_decref(values);
    cr_assert(ok, "%s/%s: %s", language, name, why);
    struct buf to = buf_on(bytes, sizeof(bytes));
    ok = mail_message_write(&to,
                            &(struct mail_message){.from = "noreply@play.example",
                                                   .from_name = "Rummy",
                                                   .to = "ana@example.org",
                                                   .id = "1",
                                                   .language = language,
                                                   .subject = out.subject,
                                                   .body = out.body},
                            why);
    cr_assert(ok, "%s/%s: %s", language, name, why);
}

Test(template, every_template_makes_a_valid_email_with_any_names)
{
#define MAIL_LANGUAGE(name, tag)                                                                             \
    for (size_t i = 0; i < mail_templates_##name##_n; i++)                                                   \
        can_be_written(tag, &mail_templates_##name[i]);
#include "mail/languages.def"
#undef MAIL_LANGUAGE
}

Test(template, the_language_follows_the_request)
{
    static const char *const cases[][2] = {
        {"", "en"},
        {"de", "de"},
        {"DE-at", "de"},
        {"fr-FR, de;q=0.8, en;q=0.7", "fr"},
        {"fr;q=0.7, de;q=0.8", "de"},
        {"hi-IN,hi;q=0.9,en;q=0.8", "hi"},
        {"hi-Latn", "hi"},
        {"bn-BD, en;q=0.9", "bn"},
        {"pl-PL,pl;q=0.9,en;q=0.8", "pl"},
        {"ru-RU, en;q=0.8", "ru"},
        {"ro-MD, ru;q=0.8", "ro"},
        {"es-MX, en;q=0.8", "es"},
        {"es-419", "es"},
        {"ta-IN,ta;q=0.9,en;q=0.8", "ta"},
        {"ta-LK", "ta"},
        {"sr", "sr-Latn"},
        {"sr-RS, en;q=0.9", "sr-Latn"},
        {"sr-Latn-ME", "sr-Latn"},
        {"sr-Cyrl", "sr-Cyrl"},
        {"SR-cyrl-BA;q=0.5", "sr-Cyrl"},
        {"sr-Arab", "sr-Latn"},
        {"sr-Cyrlx", "sr-Latn"},
        {"sr_Cyrl", "en"},
        {"sr-Cyrl;q=0.4, sr;q=0.5", "sr-Latn"},
        {"hr-HR, en;q=0.9", "hr"},
        {"te-IN, en;q=0.9", "te"},
        {"it, bs-BA, en;q=0.1", "hr"},
        {"cnr", "sr-Latn"},
        {"srx-Cyrl", "en"},
        {"-Cyrl", "en"},
        {"fr-", "fr"},
        {"fr", "fr"},
        {"en;q=0.7,de;q=0.8", "de"},
        {"de;q=0.5, en;q=0.5", "de"},
        {"de;q=0, en;q=0.1", "en"},
        {"de;q=0", "en"},
        {"de;q=0.001, en;q=0.0009", "de"},
        {"it, ja", "en"},
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
