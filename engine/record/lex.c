/* See lex.h. */
#include "engine/record/lex.h"

#include <string.h>

#include "base/bug.h"
#include "base/text.h"

void eng_lex_place(struct eng_lex *lex, size_t at, uint32_t *line, uint32_t *column)
{
    ASSERT(lex->mark <= at && at <= lex->len);
    *line = lex->mark_line + 1;
    *column = 1;
    for (size_t i = lex->mark; i < at; i++) {
        bool ends = lex->text[i] == '\n';
        *column = ends ? 1 : *column + 1;
        *line += ends;
    }
    lex->counted += at - lex->mark;
}

void eng_lex_mark(struct eng_lex *lex)
{
    uint32_t line, column;
    ASSERT(lex->at == 0 || lex->text[lex->at - 1] == '\n');
    eng_lex_place(lex, lex->at, &line, &column);
    lex->mark = lex->at;
    lex->mark_line = line - 1;
}

bool eng_lex_fail(struct eng_lex *lex, const char *expected)
{
    ASSERT(expected != NULL && lex->at <= lex->len);
    if (lex->failed)
        return false;
    lex->failed = true;
    *lex->error = (struct eng_record_error){.expected = expected};
    eng_lex_place(lex, lex->at, &lex->error->line, &lex->error->column);
    return false;
}

static bool fail_range(struct eng_lex *lex, int64_t least, int64_t greatest, const char *expected)
{
    bool first = !lex->failed;
    eng_lex_fail(lex, expected);
    if (first) {
        lex->error->ranged = true;
        lex->error->least = least;
        lex->error->greatest = greatest;
    }
    return false;
}

void eng_record_error_format(const struct eng_record_error *error, struct buf *out)
{
    ASSERT(error->expected != NULL);
    buf_str(out, "expected ");
    buf_str(out, error->expected);
    if (!error->ranged || error->greatest > UINT32_MAX)
        return;
    buf_str(out, ", ");
    buf_int(out, error->least);
    if (error->greatest == error->least)
        return;
    buf_str(out, " to ");
    buf_int(out, error->greatest);
}

bool eng_lex_at_end(const struct eng_lex *lex)
{
    ASSERT(lex->at <= lex->len);
    return lex->at == lex->len;
}

bool eng_lex_next_is(const struct eng_lex *lex, char c)
{
    ASSERT(lex->at <= lex->len);
    return lex->at < lex->len && lex->text[lex->at] == c;
}

bool eng_lex_next_word_is(const struct eng_lex *lex, const char *word)
{
    size_t n = strlen(word);
    ASSERT(n > 0 && lex->at <= lex->len);
    return lex->len - lex->at >= n && memcmp(lex->text + lex->at, word, n) == 0;
}

bool eng_lex_try(struct eng_lex *lex, const char *word)
{
    if (lex->failed || !eng_lex_next_word_is(lex, word))
        return false;
    lex->at += strlen(word);
    return true;
}

bool eng_lex_word(struct eng_lex *lex, const char *word)
{
    ASSERT(word[0] != '\0');
    const char *shown = word[0] == '\n' ? "the end of the line" : strcmp(word, " ") == 0 ? "a space" : word;
    return eng_lex_try(lex, word) || eng_lex_fail(lex, shown);
}

static size_t word_len(const struct eng_lex *lex)
{
    size_t n = 0;
    ASSERT(lex->at <= lex->len);
    while (lex->at + n < lex->len && strchr(" ,\"\n]", lex->text[lex->at + n]) == NULL)
        n++;
    return n;
}

int eng_lex_one_of(struct eng_lex *lex, const char *const *words, int n, const char *expected)
{
    size_t len = word_len(lex);
    ASSERT(n >= 1);
    for (int i = 0; i < n && !lex->failed; i++) {
        if (words[i] == NULL || strlen(words[i]) != len || memcmp(words[i], lex->text + lex->at, len) != 0)
            continue;
        lex->at += len;
        return i;
    }
    eng_lex_fail(lex, expected);
    return -1;
}

/* Plain decimal: no plus sign, no leading zeros, so that every number has exactly one representation. */
bool eng_lex_number(struct eng_lex *lex, int64_t least, int64_t greatest, int64_t *value,
                    const char *expected)
{
    size_t start = lex->at, n = word_len(lex);
    char digits[24];
    ASSERT(least <= greatest);
    if (n > 0 && lex->text[lex->at + n - 1] == '.')
        n--;
    if (lex->failed || n == 0 || n >= sizeof digits)
        return fail_range(lex, least, greatest, expected);
    memcpy(digits, lex->text + start, n);
    digits[n] = '\0';
    const char *first = digits[0] == '-' ? digits + 1 : digits;
    if ((first[0] == '0' && (n > 1)) || !text_i64(digits, least, greatest, value))
        return fail_range(lex, least, greatest, expected);
    lex->at += n;
    return true;
}

bool eng_lex_seat(struct eng_lex *lex, int players, uint8_t *seat)
{
    ASSERT(players <= ENG_SEAT_MAX);
    if (lex->failed || eng_lex_at_end(lex) || lex->text[lex->at] < '0' || lex->text[lex->at] >= '0' + players)
        return eng_lex_fail(lex, "a seat of this table, from 0");
    *seat = (uint8_t)(lex->text[lex->at++] - '0');
    return true;
}

bool eng_lex_card(struct eng_lex *lex, uint8_t *card)
{
    size_t n = word_len(lex);
    ASSERT(card != NULL);
    *card = lex->failed ? ENG_NO_CARD : eng_card_parse(lex->text + lex->at, n);
    if (*card == ENG_NO_CARD)
        return eng_lex_fail(lex, "a card such as TH1 or X1");
    lex->at += n;
    return true;
}

bool eng_lex_cards(struct eng_lex *lex, uint8_t *cards, int max, int *n)
{
    *n = 0;
    ASSERT(max >= 1 && max <= ENG_CARD_MAX);
    do {
        if (*n == max)
            return eng_lex_fail(lex, "no more cards");
        if (!eng_lex_card(lex, &cards[*n]))
            return false;
        ++*n;
    } while (eng_lex_try(lex, " "));
    return true;
}

/* Whether a space and a card follow, and not a bar or a word. */
static bool card_follows(const struct eng_lex *lex)
{
    ASSERT(lex->at <= lex->len);
    if (!eng_lex_next_is(lex, ' ') || lex->at + 1 == lex->len)
        return false;
    char c = lex->text[lex->at + 1];
    return c != '|' && (c < 'a' || c > 'z');
}

bool eng_lex_groups(struct eng_lex *lex, int max, int groups_max, uint8_t *cards, uint8_t *n,
                    uint8_t lens[ENG_GROUPS_MAX], uint8_t *groups)
{
    ASSERT(max >= 1 && max <= ENG_CARD_MAX);
    *n = *groups = 0;
    do {
        uint8_t len = 0;
        if (*groups == groups_max)
            return eng_lex_fail(lex, "no more groups");
        do {
            if (*n == max)
                return eng_lex_fail(lex, "no more cards");
            if (!eng_lex_card(lex, &cards[(*n)++]))
                return false;
            len++;
        } while (card_follows(lex) && eng_lex_word(lex, " "));
        if (*groups < ENG_GROUPS_MAX)
            lens[*groups] = len;
        ++*groups;
    } while (eng_lex_try(lex, " | "));
    return true;
}

bool eng_lex_string(struct eng_lex *lex, char *out, size_t size, const char *expected)
{
    size_t n = 0, start = lex->at;
    ASSERT(size >= 1);
    memset(out, 0, size);
    while (!lex->failed && !eng_lex_at_end(lex) && !eng_lex_next_is(lex, '"')) {
        if (eng_lex_try(lex, "\\") && !eng_lex_next_is(lex, '"') && !eng_lex_next_is(lex, '\\'))
            return eng_lex_fail(lex, "a quote or a backslash after the backslash");
        unsigned char c = (unsigned char)lex->text[lex->at];
        if (c < ' ' || c == 127 || n + 1 >= size)
            return eng_lex_fail(lex, expected);
        out[n++] = (char)c;
        lex->at++;
    }
    if (!lex->failed && !text_utf8_ok(out, n)) {
        lex->at = start;
        return eng_lex_fail(lex, "text in UTF-8");
    }
    return !lex->failed;
}

bool eng_lex_hex(struct eng_lex *lex, uint8_t *bytes, size_t least, size_t greatest, size_t *n)
{
    size_t len = word_len(lex);
    ASSERT(least <= greatest && greatest <= 32);
    for (size_t i = 0; i < len && !lex->failed; i++)
        if (lex->text[lex->at + i] >= 'A' && lex->text[lex->at + i] <= 'F')
            return eng_lex_fail(lex, "lower-case hexadecimal digits");
    int got = lex->failed ? -1 : text_unhex(bytes, greatest, lex->text + lex->at, len);
    if (got < 0 || (size_t)got < least)
        return eng_lex_fail(lex, "the right number of bytes in hexadecimal digits");
    *n = (size_t)got;
    lex->at += len;
    return true;
}

void eng_lex_skip_comments(struct eng_lex *lex)
{
    ASSERT(lex->at <= lex->len);
    while (!lex->failed && eng_lex_next_is(lex, ';') && (lex->at == 0 || lex->text[lex->at - 1] == '\n')) {
        while (!eng_lex_at_end(lex) && !eng_lex_next_is(lex, '\n'))
            lex->at++;
        if (!eng_lex_at_end(lex))
            lex->at++;
    }
}
