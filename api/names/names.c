/* Nicknames; see names.h. */
#include "api/names/names.h"

#include "api/core/unicode.h"
#include "api/names/name_keys.h"
#include "base/bug.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum {
    APART_MAX = 4 * API_NAME_BYTES_MAX, /* bytes of a name in decomposed form */
    RAW_MAX = 1024,                     /* bytes of the normalized input, before the length check */
    /* Combining marks per letter; Indic letters have three. */
    MARKS_MAX = 4,
    MARKS_GREEK_MAX = 3,
    MARKS_LATIN_MAX = 2,
    MARKS_OF_CLASS_MAX = 2, /* … and this many stacked above, or below, each other */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static USpoofChecker *checker;  /* mixed scripts, mixed digits, hidden dots */
static const USet *recommended; /* characters recommended for identifiers (UTS #39, 3.1) */
static USet *usual;             /* characters of living scripts that NFKC and identifiers keep */

static void open_checker(void)
{
    UErrorCode error = U_ZERO_ERROR;
    checker = uspoof_open(&error);
    uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
    uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL | USPOOF_MIXED_NUMBERS | USPOOF_HIDDEN_OVERLAY,
                     &error);
    recommended = uspoof_getRecommendedSet(&error);
    static const UChar pattern[] = u"[[:XID_Continue:]&[:NFKC_QC=Yes:]-[:Default_Ignorable_Code_Point:]]";
    usual = uset_openPattern(pattern, -1, &error);
    ASSERT(U_SUCCESS(error)); /* the data is part of the library */
}

/* Whether a character is recommended or belongs to a script with few users, such as Cherokee and N'Ko (UAX
 * #31, table 7). The recommended set lacks those, but their users have names, too. */
static bool is_in_use(UChar32 c)
{
    UErrorCode error = U_ZERO_ERROR;
    return uset_contains(recommended, c) ||
           (uset_contains(usual, c) &&
            uscript_getUsage(uscript_getScript(c, &error)) == USCRIPT_USAGE_LIMITED_USE);
}

/* The characters of a name. */
struct chars {
    UChar32 at[APART_MAX];
    int32_t n;
};

/* Replaces ’, which phone keyboards type, with '. */
static void one_apostrophe(char *text)
{
    static const char curly[] = "\xE2\x80\x99";
    for (char *at = text; (at = strstr(at, curly)); at++) {
        *at = '\'';
        memmove(at + 1, at + 3, strlen(at + 3) + 1);
    }
}

/* Recombines a vowel sign of Thai and one of Lao. NFKC splits them, and fonts render the parts badly after
 * a tone mark. */
static void whole_vowels(char *text)
{
    static const struct {
        const char *parts, *whole;
    } vowels[] = {{"\xE0\xB9\x8D\xE0\xB8\xB2", "\xE0\xB8\xB3"}, {"\xE0\xBB\x8D\xE0\xBA\xB2", "\xE0\xBA\xB3"}};
    for (size_t i = 0; i < ARRAY_LEN(vowels); i++)
        for (char *at = text; (at = strstr(at, vowels[i].parts)); at += strlen(vowels[i].whole)) {
            char *rest = at + strlen(vowels[i].parts);
            memcpy(at, vowels[i].whole, strlen(vowels[i].whole));
            memmove(at + strlen(vowels[i].whole), rest, strlen(rest) + 1);
        }
}

/* Writes the form of the name used for length and rules. false: it does not fit. */
static bool normalize(const char *text, char *out, size_t cap)
{
    if (!api_unicode_nfkc(text, out, cap))
        return false;
    one_apostrophe(out);
    return true;
}

static bool read_chars(const char *text, struct chars *name)
{
    UChar units[APART_MAX];
    int32_t n = 0;
    UErrorCode error = U_ZERO_ERROR;
    u_strFromUTF8(units, APART_MAX, &n, text, -1, &error);
    u_strToUTF32(name->at, APART_MAX, &name->n, units, n, &error);
    return U_SUCCESS(error) && name->n < APART_MAX;
}

int64_t api_name_length(const char *text)
{
    char typed[RAW_MAX];
    UChar units[RAW_MAX];
    int32_t n = 0;
    int64_t clusters = 0;
    UErrorCode error = U_ZERO_ERROR;
    if (!normalize(text, typed, sizeof(typed)))
        return INT64_MAX;
    u_strFromUTF8(units, (int32_t)ARRAY_LEN(units), &n, typed, -1, &error);
    UBreakIterator *breaks = ubrk_open(UBRK_CHARACTER, "", units, n, &error);
    if (U_SUCCESS(error))
        while (ubrk_next(breaks) != UBRK_DONE)
            clusters++;
    ubrk_close(breaks);
    return U_SUCCESS(error) ? clusters : INT64_MAX;
}

/* --- characters --- */

/* Whether the character is a space or punctuation used in names. */
static bool is_separator(UChar32 c)
{
    static const UChar32 signs[] = {' ', '\'', '-', '.', '_', 0xB7, 0x5F3, 0x5F4, 0xF0B, 0x30FB};
    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (signs[i] == c)
            return true;
    return false;
}

static bool is_joiner(UChar32 c)
{
    return c == 0x200C || c == 0x200D;
}

static bool is_mark(UChar32 c)
{
    return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

/* Whether the character is a nonspacing mark, which can be stacked on others. */
static bool is_stacked(UChar32 c)
{
    return (U_GET_GC_MASK(c) & (U_GC_MN_MASK | U_GC_ME_MASK)) != 0;
}

static bool is_letter(UChar32 c)
{
    return (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_ND_MASK)) != 0;
}

/* Whether the last character is a separator permitted there: a full stop, or the geresh of a Hebrew letter,
 * which keyboards also type as '. */
static bool may_end(const struct chars *name)
{
    enum { GERESH = 0x5F3 };
    UErrorCode error = U_ZERO_ERROR;
    if (name->n < 2)
        return false;
    UChar32 last = name->at[name->n - 1];
    return last == '.' || ((last == GERESH || last == '\'') &&
                           uscript_getScript(name->at[name->n - 2], &error) == USCRIPT_HEBREW);
}

static enum api_fault_code judge_characters(const struct chars *name)
{
    bool between = false; /* the previous character is a letter or a mark */
    int letters = 0;
    for (int32_t i = 0; i < name->n; i++) {
        UChar32 c = name->at[i];
        if (is_joiner(c))
            continue;
        if (is_separator(c)) {
            if (!between && !(c == ' ' && i > 0 && name->at[i - 1] == '.'))
                return API_FAULT_NAME_SEPARATOR;
            between = false;
            continue;
        }
        if (!is_in_use(c) || (!is_letter(c) && !is_mark(c)))
            return API_FAULT_NAME_CHARACTER;
        if (is_mark(c) && !between)
            return API_FAULT_NAME_MARKS;
        letters += (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0;
        between = true;
    }
    if (!between && !may_end(name))
        return API_FAULT_NAME_SEPARATOR;
    return letters > 0 ? API_FAULT_NONE : API_FAULT_NAME_NO_LETTER;
}

/* --- marks --- */

static int marks_max(UChar32 letter)
{
    UErrorCode error = U_ZERO_ERROR;
    switch (uscript_getScript(letter, &error)) {
    case USCRIPT_LATIN:
    case USCRIPT_CYRILLIC:
        return MARKS_LATIN_MAX;
    case USCRIPT_GREEK:
        return MARKS_GREEK_MAX;
    default:
        return MARKS_MAX;
    }
}

/* The marks on the current letter so far. */
struct stack {
    int n, of_class;
    uint8_t ccc;
    UChar32 last;
};

static bool stack_takes(struct stack *stack, UChar32 mark, int max)
{
    uint8_t ccc = u_getCombiningClass(mark);
    stack->of_class = stack->n > 0 && ccc == stack->ccc ? stack->of_class + 1 : 1;
    bool twice = stack->n > 0 && stack->last == mark;
    stack->n++;
    stack->ccc = ccc;
    stack->last = mark;
    return !twice && stack->n <= max && stack->of_class <= MARKS_OF_CLASS_MAX;
}

static enum api_fault_code judge_marks(const struct chars *name)
{
    struct stack stack = {0};
    int max = MARKS_MAX;
    for (int32_t i = 0; i < name->n; i++) {
        UChar32 c = name->at[i];
        if (is_joiner(c))
            continue;
        if (!is_stacked(c)) {
            stack = (struct stack){0};
            if (!is_mark(c))
                max = marks_max(c);
        } else if (!stack_takes(&stack, c, max)) {
            return API_FAULT_NAME_MARKS;
        }
    }
    return API_FAULT_NONE;
}

/* --- invisible joiners: allowed where a script requires them (UAX #31, 2.3, A1, A2, B) --- */

static UJoiningType joining(UChar32 c)
{
    return (UJoiningType)u_getIntPropertyValue(c, UCHAR_JOINING_TYPE);
}

/* The next character in one direction (step 1 or -1) that is not transparent to joining; -1: none. */
static UChar32 neighbour(const struct chars *name, int32_t i, int32_t step)
{
    for (i += step; i >= 0 && i < name->n; i += step)
        if (joining(name->at[i]) != U_JT_TRANSPARENT)
            return name->at[i];
    return -1;
}

static bool breaks_a_join(const struct chars *name, int32_t at)
{
    UChar32 left = neighbour(name, at, -1), right = neighbour(name, at, 1);
    if (left < 0 || right < 0)
        return false;
    UJoiningType l = joining(left), r = joining(right);
    return (l == U_JT_DUAL_JOINING || l == U_JT_LEFT_JOINING) &&
           (r == U_JT_DUAL_JOINING || r == U_JT_RIGHT_JOINING);
}

/* The character at i; 0: outside the name. */
static UChar32 char_at(const struct chars *name, int32_t i)
{
    return i >= 0 && i < name->n ? name->at[i] : 0;
}

static bool is_virama(UChar32 c)
{
    enum { VIRAMA = 9 }; /* combining class of a virama */
    return u_getCombiningClass(c) == VIRAMA;
}

static bool is_alphabetic(UChar32 c)
{
    return (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0;
}

/* Whether a joiner affects a conjunct. After a virama, a joiner selects the form of the conjunct. Between a
 * letter and its virama, it selects which of the two letters is reduced, as in Bengali ra and ya (Unicode
 * Standard, 12.2). */
static bool forms_a_conjunct(const struct chars *name, int32_t at)
{
    UChar32 before = char_at(name, at - 1), after = char_at(name, at + 1);
    return (is_virama(before) && is_alphabetic(after)) ||
           (is_alphabetic(before) && is_virama(after) && is_alphabetic(char_at(name, at + 2)));
}

static enum api_fault_code judge_joiners(const struct chars *name)
{
    for (int32_t i = 0; i < name->n; i++)
        if (is_joiner(name->at[i]) && !forms_a_conjunct(name, i) &&
            (name->at[i] != 0x200C || !breaks_a_join(name, i)))
            return API_FAULT_NAME_JOINER;
    return API_FAULT_NONE;
}

/* --- the complete check --- */

static enum api_fault_code judge_scripts(const char *text)
{
    UErrorCode error = U_ZERO_ERROR;
    int32_t found = uspoof_check2UTF8(checker, text, -1, NULL, &error);
    ASSERT(U_SUCCESS(error));
    if (found & USPOOF_RESTRICTION_LEVEL)
        return API_FAULT_NAME_SCRIPTS;
    if (found & USPOOF_MIXED_NUMBERS)
        return API_FAULT_NAME_DIGITS;
    return found & USPOOF_HIDDEN_OVERLAY ? API_FAULT_NAME_MARKS : API_FAULT_NONE;
}

static enum api_fault_code judge_form(const char *text)
{
    char stored[API_NAME_BYTES_MAX + 1], apart[APART_MAX];
    struct chars name, marked;
    (void)pthread_once(&once, open_checker);
    if (!normalize(text, stored, sizeof(stored)) || !api_unicode_nfd(stored, apart, sizeof(apart)) ||
        !read_chars(stored, &name) || !read_chars(apart, &marked))
        return API_FAULT_NAME_BYTES;
    enum api_fault_code fault = judge_characters(&name);
    if (fault == API_FAULT_NONE)
        fault = judge_marks(&marked);
    if (fault == API_FAULT_NONE)
        fault = judge_joiners(&name);
    return fault == API_FAULT_NONE ? judge_scripts(stored) : fault;
}

enum api_fault_code api_name_judge(const char *text)
{
    struct api_name name;
    enum api_fault_code fault = judge_form(text);
    if (fault != API_FAULT_NONE)
        return fault;
    if (!api_name_make(text, &name))
        return API_FAULT_NAME_BYTES;
    return api_name_reserved(name.nickname) ? API_FAULT_NAME_RESERVED : API_FAULT_NONE;
}

bool api_name_make(const char *text, struct api_name *name)
{
    if (!normalize(text, name->nickname, sizeof(name->nickname)) ||
        !api_unicode_fold(name->nickname, name->folded, sizeof(name->folded)))
        return false;
    whole_vowels(name->nickname);
    name->keys_n = api_name_keys(name->nickname, name->keys);
    return name->keys_n > 0;
}
