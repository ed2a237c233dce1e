/* The cursor of the record parser: characters, numbers, cards, with line and column of the first unexpected
 * input. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_LEX_H
#define RUMMYD_ENGINE_RECORD_LEX_H

#include "engine/record/record.h"

struct eng_lex {
    const char *text;
    size_t len, at;
    struct eng_record_error *error; /* only the first error is kept */
    bool failed;
    /* Position from which lines are counted, and the number of bytes scanned to count them. */
    size_t mark;
    uint32_t mark_line; /* lines before the mark */
    size_t counted;
    bool trial; /* for moves that may be refused; a declaration may then have too many groups */
};

/* Sets line and column, from 1, of a position at or after the mark. */
void eng_lex_place(struct eng_lex *lex, size_t at, uint32_t *line, uint32_t *column);
/* Marks the cursor, which is at the beginning of a line; earlier positions can no longer be requested. */
void eng_lex_mark(struct eng_lex *lex);

/* These functions return false and set the error if the cursor is at anything else. */
bool eng_lex_fail(struct eng_lex *lex, const char *expected);
bool eng_lex_word(struct eng_lex *lex, const char *word); /* exactly these characters */
bool eng_lex_number(struct eng_lex *lex, int64_t least, int64_t greatest, int64_t *value,
                    const char *expected);
bool eng_lex_seat(struct eng_lex *lex, int players, uint8_t *seat);
bool eng_lex_card(struct eng_lex *lex, uint8_t *card);
/* Cards separated by single spaces; at least one, at most max. */
bool eng_lex_cards(struct eng_lex *lex, uint8_t *cards, int max, int *n);
/* Groups of cards separated by " | ", as in moves and set-ups; at most max cards and groups_max groups in
 * total. Groups beyond ENG_GROUPS_MAX are counted, but their lengths are not stored. */
bool eng_lex_groups(struct eng_lex *lex, int max, int groups_max, uint8_t *cards, uint8_t *n,
                    uint8_t lens[ENG_GROUPS_MAX], uint8_t *groups);
/* The contents of a quoted string with \" and \\, up to the closing quote (not consumed). size includes the
 * NUL. */
bool eng_lex_string(struct eng_lex *lex, char *out, size_t size, const char *expected);
bool eng_lex_hex(struct eng_lex *lex, uint8_t *bytes, size_t least, size_t greatest, size_t *n);

/* These consume nothing. */
bool eng_lex_at_end(const struct eng_lex *lex);
bool eng_lex_next_is(const struct eng_lex *lex, char c);
bool eng_lex_next_word_is(const struct eng_lex *lex, const char *word);
/* Consumes the word if it is at the cursor and returns whether it was; never fails. */
bool eng_lex_try(struct eng_lex *lex, const char *word);
/* The index of the word at the cursor; -1 and an error if it is not in the list. */
int eng_lex_one_of(struct eng_lex *lex, const char *const *words, int n, const char *expected);
/* Skips comments, which are lines that begin with a semicolon. */
void eng_lex_skip_comments(struct eng_lex *lex);

#endif
