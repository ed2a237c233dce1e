/* The cursor of the record parser: characters, numbers, cards, with line and column of the first thing that
 * was not as expected. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_LEX_H
#define RUMMYD_ENGINE_RECORD_LEX_H

#include "engine/record/record.h"

struct eng_lex {
    const char *text;
    size_t len, at;
    struct eng_record_error *error; /* the first one is kept */
    bool failed;
    /* Lines are counted from here on; and the number of bytes scanned for that. */
    size_t mark;
    uint32_t mark_line; /* lines before it */
    size_t counted;
    bool trial; /* for moves that may be refused: a declaration may have more groups than possible */
};

/* Line and column of a position at or after the mark, from 1. */
void eng_lex_place(struct eng_lex *lex, size_t at, uint32_t *line, uint32_t *column);
/* The cursor is at the beginning of a line: earlier positions will not be requested again. */
void eng_lex_mark(struct eng_lex *lex);

/* All return false, with the error set, if something else is at the cursor. */
bool eng_lex_fail(struct eng_lex *lex, const char *expected);
bool eng_lex_word(struct eng_lex *lex, const char *word); /* exactly these characters */
bool eng_lex_number(struct eng_lex *lex, int64_t least, int64_t greatest, int64_t *value,
                    const char *expected);
bool eng_lex_seat(struct eng_lex *lex, int players, uint8_t *seat);
bool eng_lex_card(struct eng_lex *lex, uint8_t *card);
/* Cards separated by single spaces; at least one, at most max. */
bool eng_lex_cards(struct eng_lex *lex, uint8_t *cards, int max, int *n);
/* Groups of cards separated by " | ", as moves and set-ups have them; at most max cards and groups_max groups
 * in total. Groups beyond ENG_GROUPS_MAX are counted, but their lengths are not stored. */
bool eng_lex_groups(struct eng_lex *lex, int max, int groups_max, uint8_t *cards, uint8_t *n,
                    uint8_t lens[ENG_GROUPS_MAX], uint8_t *groups);
/* The inside of a quoted string with \" and \\, up to its quote (not consumed). size includes the NUL. */
bool eng_lex_string(struct eng_lex *lex, char *out, size_t size, const char *expected);
bool eng_lex_hex(struct eng_lex *lex, uint8_t *bytes, size_t least, size_t greatest, size_t *n);

/* Without consuming anything. */
bool eng_lex_at_end(const struct eng_lex *lex);
bool eng_lex_next_is(const struct eng_lex *lex, char c);
bool eng_lex_next_word_is(const struct eng_lex *lex, const char *word);
/* Consumes the word if it is at the cursor and returns whether it was; never fails. */
bool eng_lex_try(struct eng_lex *lex, const char *word);
/* The index of the whole word at the cursor; -1 and an error if it is none of these. */
int eng_lex_one_of(struct eng_lex *lex, const char *const *words, int n, const char *expected);
/* Skips lines that begin with a semicolon: comments. */
void eng_lex_skip_comments(struct eng_lex *lex);

#endif
