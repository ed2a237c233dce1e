/* Rules for passwords; see password_rules.h. */
#include "api/signin/password_rules.h"

#include "api/core/unicode.h"
#include "base/bug.h"
#include "base/embed.h"

#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* api/data/common_passwords.txt: folded, one per line, sorted by bytes. */
extern const struct embed_file api_common_passwords[];
extern const size_t api_common_passwords_n;

enum {
    NFC_MAX = 4 * API_PASSWORD_CHARS_MAX + 1, /* bytes of a valid password, including the NUL */
    FOLDED_MAX = 2048,
    WORD_CHARS_MIN = 3, /* shorter words would match almost everything */
    WORD_MAX = 512,     /* bytes of a context word, folded */
};

static const char *const product_words[] = {"rummyd", "rummy51", "rummy 51", "rummy"};

int64_t api_password_length(const char *password)
{
    char nfc[NFC_MAX];
    if (!api_unicode_nfc(password, nfc, sizeof(nfc)))
        return INT64_MAX;
    size_t n = api_unicode_length(nfc);
    sodium_memzero(nfc, sizeof(nfc));
    return (int64_t)n;
}

/* Compares a text with a line of len bytes. */
static int compare_line(const char *text, const char *line, size_t len)
{
    size_t n = strlen(text);
    int order = memcmp(text, line, n < len ? n : len);
    return order != 0 ? order : (n > len) - (n < len);
}

static bool is_common(const char *folded)
{
    ASSERT(api_common_passwords_n == 1);
    const char *data = api_common_passwords[0].data;
    size_t from = 0, to = api_common_passwords[0].len; /* each is at the start of a line or at the end */
    while (from < to) {
        size_t at = from + (to - from) / 2;
        while (at > from && data[at - 1] != '\n')
            at--;
        const char *end = memchr(data + at, '\n', to - at);
        size_t len = end ? (size_t)(end - (data + at)) : to - at;
        int order = compare_line(folded, data + at, len);
        if (order == 0)
            return true;
        if (order < 0)
            to = at;
        else
            from = at + len + 1;
    }
    return false;
}

/* Marks the bytes of all occurrences of the word. */
static void mark_word(const char *folded, const char *word, uint8_t marks[FOLDED_MAX])
{
    if (api_unicode_length(word) < WORD_CHARS_MIN)
        return;
    for (const char *at = folded; (at = strstr(at, word)); at++)
        memset(marks + (at - folded), 1, strlen(word));
}

/* Marks the first len bytes of a text about the owner as a word, and optionally each of its parts. */
static void mark_text(const char *folded, const char *text, size_t len, bool parts, uint8_t marks[FOLDED_MAX])
{
    static const char between[] = " .+-_'";
    char raw[WORD_MAX], word[WORD_MAX], *rest = NULL;
    (void)snprintf(raw, sizeof(raw), "%.*s", (int)len, text);
    if (!api_unicode_fold(raw, word, sizeof(word)))
        return;
    mark_word(folded, word, marks);
    char *part = parts ? strtok_r(word, between, &rest) : NULL;
    for (; part; part = strtok_r(NULL, between, &rest))
        mark_word(folded, part, marks);
}

/* Number of characters outside all context words. */
static size_t chars_of_their_own(const char *folded, const char *email, const char *nickname)
{
    uint8_t marks[FOLDED_MAX] = {0};
    ASSERT(strlen(folded) < sizeof(marks));
    for (size_t i = 0; i < ARRAY_LEN(product_words); i++)
        mark_word(folded, product_words[i], marks);
    if (email) {
        mark_text(folded, email, strlen(email), false, marks);
        mark_text(folded, email, strcspn(email, "@"), true, marks);
    }
    if (nickname)
        mark_text(folded, nickname, strlen(nickname), true, marks);
    size_t n = 0;
    for (size_t i = 0; folded[i]; i++)
        n += !marks[i] && ((unsigned char)folded[i] & 0xC0) != 0x80;
    return n;
}

enum api_fault_code api_password_judge(const char *password, const char *email, const char *nickname)
{
    char folded[FOLDED_MAX];
    enum api_fault_code fault = API_FAULT_NONE;
    /* A password that does not fit is longer than any word or name, so it is allowed. */
    if (!api_unicode_fold(password, folded, sizeof(folded)))
        return API_FAULT_NONE;
    if (is_common(folded))
        fault = API_FAULT_PASSWORD_TOO_COMMON;
    else if (chars_of_their_own(folded, email, nickname) < API_PASSWORD_CHARS_MIN)
        fault = API_FAULT_PASSWORD_IS_CONTEXT;
    sodium_memzero(folded, sizeof(folded));
    return fault;
}

bool api_password_admit(struct api_request *request, const char *member, enum api_fault_code code)
{
    if (code == API_FAULT_NONE)
        return true;
    struct api_fault fault = {.code = code, .min = API_PASSWORD_CHARS_MIN, .max = API_PASSWORD_CHARS_MAX};
    api_fault_name(&fault, member, strlen(member));
    (void)api_fail_fault(request, &fault);
    return false;
}
