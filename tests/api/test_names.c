/* Nicknames: which are allowed, which look alike, which are reserved. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

#include "api/bodies.h"
#include "api/names/names.h"
#include "base/bug.h"
#include "base/embed.h"

struct judged {
    const char *name;
    enum api_fault_code fault;
};

static void expect_all(const struct judged *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum api_fault_code fault = api_name_judge(list[i].name);
        cr_expect_eq(fault, list[i].fault, "%s: %s", list[i].name,
                     fault == API_FAULT_NONE ? "taken" : api_fault_code_name(fault));
    }
}

Test(names, of_every_language_are_accepted)
{
    static const char *const good[] = {
        "Mia",
        "mia_51",
        "O'Neill",
        "O’Neill",
        "Jean-Luc",
        "J. R. Ewing",
        "Ana Marija",
        "Đorđe",
        "Ђорђе",
        "Љубица Шћекић",
        "Živojin",
        "Jürgen Groß",
        "François",
        "Maëlle d'Août",
        "Zoë 猫",
        "José",
        "Paral·lel",
        "Nguyễn Thị Ánh",
        "Łukasz",
        "Γιώργος",
        "İbrahim",
        "अनन्या",
        "Mia M.",
        "ᾧδε",
        "ज़ेंदर", /* three marks on one letter */
        "क्षमा",
        "शर्\xE2\x80\x8Dमा", /* ZWJ after a virama */
        "श्\xE2\x80\x8Cरी",  /* ZWNJ after a virama */
        "محمد",
        "مُحَمَّد",                /* with vowel marks */
        "می\xE2\x80\x8Cخواهم", /* ZWNJ between letters that would otherwise join */
        "王小明",
        "たなか ゆき",
        "タナカ",
        "김민수",
        "สมชาย",
        "เปี๊ยก", /* a vowel and a tone on one letter */
        "שרה",
        "Ａｌｉｃｅ",         /* fullwidth; stored as Alice */
        "e\xCC\x81va",        /* typed with a combining mark */
        "র\xE2\x80\x8D্যাচেল", /* ZWJ between ra and its virama, so that ya is reduced */
        "ג׳ורג׳",             /* a Hebrew letter with a geresh at the end */
        "ג'ורג'",             /* the same name as most keyboards type it */
        "น้ำ",
        "ຄໍາ",
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        enum api_fault_code fault = api_name_judge(good[i]);
        cr_expect_eq(fault, API_FAULT_NONE, "%s: %s", good[i], fault ? api_fault_code_name(fault) : "");
        int64_t n = api_name_length(good[i]);
        cr_expect(n >= ME_CHANGE_NICKNAME_MIN && n <= ME_CHANGE_NICKNAME_MAX, "%s: %lld", good[i],
                  (long long)n);
    }
}

/* A letter of each script, according to ICU. */
Test(names, of_every_script_in_use_are_accepted)
{
    int in_use = 0;
    for (UScriptCode script = USCRIPT_ARABIC; script < u_getIntPropertyMaxValue(UCHAR_SCRIPT); script++) {
        UErrorCode error = U_ZERO_ERROR;
        UChar sample[8];
        char letter[32], name[64];
        UChar32 first[ARRAY_LEN(sample)] = {0};
        if (uscript_getSampleString(script, sample, ARRAY_LEN(sample), &error) == 0)
            continue;
        u_strToUTF32(first, ARRAY_LEN(first), NULL, sample, -1, &error);
        /* a variant of another script, or several scripts */
        if (uscript_getScript(first[0], &error) != script)
            continue;
        u_strToUTF8(letter, sizeof(letter), NULL, sample, -1, &error);
        cr_assert(U_SUCCESS(error));
        (void)snprintf(name, sizeof(name), "%s%s", letter, letter);
        UScriptUsage usage = uscript_getUsage(script);
        bool is_used = usage == USCRIPT_USAGE_RECOMMENDED || usage == USCRIPT_USAGE_LIMITED_USE;
        cr_expect_eq(api_name_judge(name), is_used ? API_FAULT_NONE : API_FAULT_NAME_CHARACTER, "%s: %s",
                     uscript_getName(script), name);
        in_use += is_used;
    }
    cr_expect_geq(in_use, 50, "%d", in_use);
}

Test(names, bad_names_are_refused_for_the_right_reason)
{
    static const struct judged bad[] = {
        {"\xF0\x9F\x90\x88 cat", API_FAULT_NAME_CHARACTER}, /* an emoji */
        {"a\xE2\x99\xA5z", API_FAULT_NAME_CHARACTER},       /* a heart */
        {"a\tb", API_FAULT_NAME_CHARACTER},
        {"a\nb", API_FAULT_NAME_CHARACTER},
        {"a\x7Fz", API_FAULT_NAME_CHARACTER},
        {"a\xC2\x85z", API_FAULT_NAME_CHARACTER},
        {"a\xC2\xADz", API_FAULT_NAME_CHARACTER},         /* soft hyphen */
        {"a\xE2\x80\x8Bz", API_FAULT_NAME_CHARACTER},     /* zero-width space */
        {"a\xE2\x80\xAEz", API_FAULT_NAME_CHARACTER},     /* right-to-left override */
        {"a\xE2\x81\xA6z", API_FAULT_NAME_CHARACTER},     /* isolate */
        {"\xEF\xBB\xBFz1", API_FAULT_NAME_CHARACTER},     /* byte order mark */
        {"a\xEE\x80\x80z", API_FAULT_NAME_CHARACTER},     /* private use */
        {"a\xCD\xB8z", API_FAULT_NAME_CHARACTER},         /* unassigned */
        {"a\xF3\xA0\x81\xA1z", API_FAULT_NAME_CHARACTER}, /* a tag */
        {"a\xE3\x85\xA4z", API_FAULT_NAME_CHARACTER},     /* the Hangul filler */
        {"a<b>z", API_FAULT_NAME_CHARACTER},
        {"a@b", API_FAULT_NAME_CHARACTER},
        {"\xE1\x9A\xA0\xE1\x9A\xA2\xE1\x9A\xA6",
         API_FAULT_NAME_CHARACTER}, /* runes: not used by a living language */
        {" ab", API_FAULT_NAME_SEPARATOR},
        {"ab ", API_FAULT_NAME_SEPARATOR},
        {"a  b", API_FAULT_NAME_SEPARATOR},
        {"a -b", API_FAULT_NAME_SEPARATOR},
        {"-ab", API_FAULT_NAME_SEPARATOR},
        {"ab..", API_FAULT_NAME_SEPARATOR},
        {"ab-", API_FAULT_NAME_SEPARATOR},
        {".ab", API_FAULT_NAME_SEPARATOR},
        {"a\xC2\xA0 b", API_FAULT_NAME_SEPARATOR}, /* a no-break space counts as a space */
        {"", API_FAULT_NAME_SEPARATOR},
        {"\xCC\x81"
         "ab",
         API_FAULT_NAME_MARKS}, /* begins with a mark */
        {"1234", API_FAULT_NAME_NO_LETTER},
        {"12-34", API_FAULT_NAME_NO_LETTER},
        {"Z\xCC\x82\xCC\x82"
         "a",
         API_FAULT_NAME_MARKS}, /* the same mark twice */
        {"Z\xCC\x80\xCC\x82\xCC\x83"
         "algo",
         API_FAULT_NAME_MARKS},
        {"Z\xCC\x83\xCC\xA3\xCC\x80\xCC\xAD\xCC\x82"
         "algo",
         API_FAULT_NAME_MARKS},
        {"a\xE2\x80\x8D"
         "b",
         API_FAULT_NAME_JOINER}, /* ZWJ in Latin */
        {"a\xE2\x80\x8C"
         "b",
         API_FAULT_NAME_JOINER},
        {"अ\xE2\x80\x8Dब", API_FAULT_NAME_JOINER}, /* ZWJ without a preceding virama */
        {"شर्\xE2\x80\x8D", API_FAULT_NAME_JOINER},
        {"র\xE2\x80\x8D্", API_FAULT_NAME_JOINER}, /* ZWJ before a virama that joins nothing */
        {"Mia'", API_FAULT_NAME_SEPARATOR},
        {"'ג", API_FAULT_NAME_SEPARATOR},
        {"p\xD0\xB0ypal", API_FAULT_NAME_SCRIPTS}, /* a Cyrillic a */
        {"\xD0\x90lice", API_FAULT_NAME_SCRIPTS},
        {"Αlice", API_FAULT_NAME_SCRIPTS}, /* a Greek A */
        {"Ana Мија", API_FAULT_NAME_SCRIPTS},
        {"अनa", API_FAULT_NAME_SCRIPTS},
        {"अन1२", API_FAULT_NAME_DIGITS},
        {"王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王王",
         API_FAULT_NAME_BYTES},
    };
    expect_all(bad, ARRAY_LEN(bad));
}

Test(names, are_measured_in_user_perceived_characters)
{
    cr_expect_eq(api_name_length("Mia"), 3);
    cr_expect_eq(api_name_length("e\xCC\x81va"), 3);
    cr_expect_eq(api_name_length("ज़ेंदर"), 3);
    cr_expect_eq(api_name_length("각"), 1);
    cr_expect_eq(api_name_length("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"), 1);
    cr_expect_eq(api_name_length(""), 0);
    char text[5000];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    cr_expect_gt(api_name_length(text), ME_CHANGE_NICKNAME_MAX);
}

Test(names, have_one_canonical_form)
{
    static const char *const forms[][2] = {{"Ａｌｉｃｅ", "Alice"},
                                           {"e\xCC\x81va", "éva"},
                                           {"O’Neill", "O'Neill"},
                                           {"ﬁona", "fiona"},
                                           {"a\xC2\xA0"
                                            "b",
                                            "a b"},
                                           {"แมวดำ", "แมวดำ"},
                                           {"น้ำ", "น้ำ"}, /* a tone before the vowel */
                                           {"น้\xE0\xB9\x8D\xE0\xB8\xB2", "น้ำ"},
                                           {"ຄຳ", "ຄຳ"}};
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        struct api_name name;
        cr_assert(api_name_make(forms[i][0], &name));
        cr_expect_str_eq(name.nickname, forms[i][1]);
    }
}

static bool alike(const char *one, const char *other)
{
    struct api_name a, b;
    cr_assert(api_name_make(one, &a) && api_name_make(other, &b));
    for (size_t i = 0; i < a.keys_n; i++)
        for (size_t j = 0; j < b.keys_n; j++)
            if (strcmp(a.keys[i], b.keys[j]) == 0)
                return true;
    return false;
}

Test(names, that_look_alike_share_a_key)
{
    static const char *const pairs[][2] = {
        {"paypal", "p\xD0\xB0ypal"},
        {"Alice", "\xD0\x90lice"},
        {"Alice", "Αlice"},
        {"Alice", "alice"},
        {"Alice", "AIice"},
        {"Alice", "ALICE"},
        {"corn", "com"},
        {"сосо", "coco"},
        {"bob", "b0b"},
        {"Bill", "Bi11"},
        {"iris", "Iris"},
        {"Iris", "lris"},
        {"O'Neill", "O’Neill"},
        {"Straße", "STRASSE"},
        {"शर्\xE2\x80\x8Dमा", "शर्मा"},
        {"Ａda B", "ada b"},
    };
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        cr_expect(alike(pairs[i][0], pairs[i][1]), "%s, %s", pairs[i][0], pairs[i][1]);
    static const char *const apart[][2] = {
        {"Ana", "Anna"},           {"Ali", "Al1ce"},     {"iris", "lris"}, {"Mia", "Mira"},
        {"Guest 10", "Guest 100"}, {"Jürgen", "Jorgen"}, {"猫", "犬"},     {"अनन्या", "अनया"},
    };
    for (size_t i = 0; i < ARRAY_LEN(apart); i++)
        cr_expect(!alike(apart[i][0], apart[i][1]), "%s, %s", apart[i][0], apart[i][1]);
}

Test(names, of_the_game_and_its_staff_are_reserved)
{
    static const char *const reserved[] = {
        "admin",          "Admin",     "ADMIN 1",       "a.d.m.i.n",     "Ad Min",           "adm1n",
        "аdmin",          "Admin Joe", "joe-the-admin", "Rummyd",        "rumrnyd",          "Rummy 51",
        "m0derator",      "Support",   "supp0rt 7",     "Official Mia",  "Guest 1234",       "guest",
        "Bot 7",          "Ada",       "boris",         "администратор", "Deleted player 7", "deletedplayer",
        "De1eted-P1ayer",
    };
    for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
        cr_expect(api_name_reserved(reserved[i]), "%s", reserved[i]);
    static const char *const free_names[] = {"Ada M.", "Ada 7",     "Boris K.",  "Modesty",  "Adminton",
                                             "Mia",    "Rummy Fan", "Supporter", "Gu est us"};
    for (size_t i = 0; i < ARRAY_LEN(free_names); i++)
        cr_expect(!api_name_reserved(free_names[i]), "%s", free_names[i]);
    cr_expect_eq(api_name_judge("Admin"), API_FAULT_NAME_RESERVED);
}

/* Each line of the file is itself refused, so the list is well-formed. */
Test(names, each_listed_reserved_name_is_refused)
{
    extern const struct embed_file api_reserved_names[];
    int n = 0;
    for (const char *at = api_reserved_names[0].data; *at; at += strcspn(at, "\n") + 1) {
        char line[200];
        (void)snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
        if (line[0] == '\0' || line[0] == '#')
            continue;
        cr_expect(api_name_reserved(line + (line[0] == '=')), "%s", line);
        n++;
    }
    cr_expect_gt(n, 50);
}

Test(names, generated_for_guests_are_valid_but_reserved)
{
    static const char *const made[] = {"Guest 0000", "Guest 9999", "Guest 3999999999"};
    for (size_t i = 0; i < ARRAY_LEN(made); i++) {
        struct api_name name;
        cr_expect(api_name_make(made[i], &name));
        cr_expect_str_eq(name.nickname, made[i]);
        cr_expect_eq(api_name_judge(made[i]), API_FAULT_NAME_RESERVED, "reserved");
        cr_expect_leq(api_name_length(made[i]), ME_CHANGE_NICKNAME_MAX);
    }
}

Test(names, the_version_of_their_keys_includes_icu)
{
    char by[API_NAME_BY_MAX];
    api_name_version(by);
    cr_expect_not_null(strstr(by, "ICU "), "%s", by);
}

/* xorshift64*: the names are the same in each run. */
static uint64_t state = 88172645463325252ULL;
static uint32_t dice(uint32_t sides)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545F4914F6CDD1DULL) >> 33) % sides;
}

static void random_name(char out[64])
{
    static const char *const parts[] = {"a",
                                        "I",
                                        "l",
                                        "1",
                                        "0",
                                        "O",
                                        "rn",
                                        "m",
                                        " ",
                                        "-",
                                        "é",
                                        "e\xCC\x81",
                                        "ß",
                                        "а",
                                        "о",
                                        "Ж",
                                        "ķ",
                                        "अ",
                                        "न",
                                        "्",
                                        "\xE2\x80\x8D",
                                        "م",
                                        "猫",
                                        "か",
                                        "각",
                                        "ﬁ",
                                        "Ａ",
                                        "İ",
                                        "ſ",
                                        "µ",
                                        "\xCC\x81",
                                        "Σ",
                                        "ς",
                                        "ำ",
                                        "\xE0\xB9\x8D",
                                        "\xE0\xB8\xB2",
                                        "Ꮳ",
                                        "ג",
                                        "׳"};
    out[0] = '\0';
    for (uint32_t n = 2 + dice(8); n > 0; n--)
        (void)strncat(out, parts[dice(ARRAY_LEN(parts))], 63 - strlen(out));
}

/* The stored form is accepted unchanged, the key of a key is that key, and folding does not change keys. */
Test(names, random_names_have_stable_forms_and_keys)
{
    int taken = 0;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        struct api_name name, again;
        random_name(text);
        bool good = api_name_judge(text) == API_FAULT_NONE;
        taken += good;
        if (!api_name_make(text, &name))
            continue;
        cr_assert(api_name_make(name.nickname, &again));
        cr_assert_str_eq(name.nickname, again.nickname, "%s", text);
        cr_assert_eq(name.keys_n, again.keys_n);
        cr_assert(!good || api_name_judge(name.nickname) == API_FAULT_NONE, "%s", text);
        cr_assert(alike(text, name.nickname) && alike(name.nickname, name.folded), "%s", text);
        for (size_t k = 0; k < name.keys_n; k++)
            cr_assert(alike(name.keys[k], name.nickname), "%s", text);
    }
    cr_expect_gt(taken, 1000, "%d", taken);
}
