/* Reserved names: api/data/reserved_names.txt lists them and explains how they are compared. Called by
 * api_name_judge. Pure, any thread. */
#include "api/names/name_keys.h"
#include "base/bug.h"
#include "base/embed.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

extern const struct embed_file api_reserved_names[];
extern const size_t api_reserved_names_n;

enum { WORDS_MAX = 160, KEY_MAX = 128 };

/* Keys of reserved names, without punctuation. Longer names match none of them. */
static struct {
    bool whole; /* matches only the whole, unchanged name */
    char keys[API_NAME_KEYS_MAX][KEY_MAX];
    size_t keys_n;
} words[WORDS_MAX];
static size_t words_n;
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum parts { LETTERS, LETTERS_AND_DIGITS };

/* Appends the relevant characters of the bytes from..to. */
static void keep(char *out, const char *text, size_t from, size_t to, enum parts parts)
{
    size_t n = strlen(out);
    for (size_t i = from; i < to;) {
        size_t start = i;
        UChar32 c;
        U8_NEXT_UNSAFE(text, i, c);
        bool digit = (U_GET_GC_MASK(c) & U_GC_ND_MASK) != 0,
             letter = (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_M_MASK)) != 0;
        if (letter || (digit && parts == LETTERS_AND_DIGITS)) {
            memcpy(out + n, text + start, i - start);
            n += i - start;
        }
    }
    out[n] = '\0';
}

/* Computes keys in which i and l are equal, so that "adm1n" resembles "admln". 0: longer than any word. */
static size_t coarse_keys(const char *text, char keys[API_NAME_KEYS_MAX][KEY_MAX])
{
    char made[API_NAME_KEYS_MAX][API_NAME_KEY_MAX];
    size_t n = text[0] ? api_name_keys(text, made) : 0;
    for (size_t k = 0; k < n; k++) {
        if (strlen(made[k]) >= KEY_MAX)
            return 0;
        for (char *at = made[k]; *at; at++)
            if (*at == 'i')
                *at = 'l';
        (void)snprintf(keys[k], KEY_MAX, "%s", made[k]);
    }
    return n;
}

static void add_word(const char *line, size_t len)
{
    char text[API_NAME_BYTES_MAX + 1] = "";
    bool whole = len > 0 && line[0] == '=';
    if (len == 0 || line[0] == '#')
        return;
    ASSERT(words_n < WORDS_MAX && len < sizeof(text));
    keep(text, line, whole, len, LETTERS_AND_DIGITS);
    words[words_n].whole = whole;
    words[words_n].keys_n = coarse_keys(text, words[words_n].keys);
    ASSERT(words[words_n].keys_n > 0);
    words_n++;
}

static void read_words(void)
{
    ASSERT(api_reserved_names_n == 1);
    for (const char *at = api_reserved_names[0].data, *end = at + api_reserved_names[0].len; at < end;) {
        size_t len = strcspn(at, "\n");
        add_word(at, len);
        at += len + 1;
    }
}

static bool is_word(const char *text, bool whole)
{
    char keys[API_NAME_KEYS_MAX][KEY_MAX];
    size_t n = coarse_keys(text, keys);
    for (size_t w = 0; w < words_n; w++) {
        if (words[w].whole && !whole)
            continue;
        for (size_t a = 0; a < words[w].keys_n; a++)
            for (size_t b = 0; b < n; b++)
                if (strcmp(words[w].keys[a], keys[b]) == 0)
                    return true;
    }
    return false;
}

static bool is_between_words(unsigned char c)
{
    return c < 0x80 && !u_isalnum(c);
}

bool api_name_reserved(const char *text)
{
    char kept[API_NAME_BYTES_MAX + 1] = "", letters[API_NAME_BYTES_MAX + 1] = "";
    size_t len = strlen(text);
    if (len > API_NAME_BYTES_MAX)
        return false;
    (void)pthread_once(&once, read_words);
    keep(kept, text, 0, len, LETTERS_AND_DIGITS);
    keep(letters, text, 0, len, LETTERS);
    if (is_word(kept, true) || is_word(letters, false))
        return true;
    for (size_t from = 0; from < len;) {
        size_t to = from;
        while (to < len && !is_between_words((unsigned char)text[to]))
            to++;
        kept[0] = letters[0] = '\0';
        keep(kept, text, from, to, LETTERS_AND_DIGITS);
        keep(letters, text, from, to, LETTERS);
        if (is_word(kept, false) || is_word(letters, false))
            return true;
        from = to + 1;
    }
    return false;
}
