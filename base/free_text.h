/* Free text that players and operators write for others: chat, descriptions, notes, labels. One rule
 * applies to all of it. It is based on Unicode character properties (with ICU), so that no writing system
 * is rejected. Names, which must not look alike, have a stricter rule (api/names/names.h). Pure, any
 * thread. */
#ifndef RUMMYD_BASE_FREE_TEXT_H
#define RUMMYD_BASE_FREE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CHAT_CHARS_MAX = 200,      /* code points in a chat message, at a table or in a club */
    FREE_TEXT_MARKS_MAX = 10,  /* marks stacked on one letter; the longest real stacks have seven or eight */
    FREE_TEXT_ISOLATE_MAX = 8, /* nested direction isolates */
};

/* Whether len bytes are free text on one line. They must be well-formed UTF-8 with at least one visible
 * character and without
 * - control characters, line and paragraph separators, noncharacters;
 * - direction embeddings and overrides, and isolates that are not closed in the text (UAX #9);
 * - byte order marks, interlinear annotations, deprecated format characters, and tags outside an emoji flag
 * (UTS #51);
 * - more than FREE_TEXT_MARKS_MAX stacked marks.
 * Joiners, variation selectors, and direction marks are allowed: Persian, Sinhala, Hebrew, and emoji need
 * them. */
bool free_text_line_ok(const char *text, size_t len);
/* The same, but the text may have several lines and tabs, and may be empty or blank. */
bool free_text_ok(const char *text, size_t len);
/* Whether the text is a line for a list, which must not begin with a space or an invisible character, nor
 * end with a space. */
bool free_text_label_ok(const char *text, size_t len);
/* Whether the text contains a letter that is written from right to left. Skips malformed bytes. */
bool free_text_has_right_to_left(const char *text, size_t len);

#endif
