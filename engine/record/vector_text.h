/* The text of rule vectors of both kinds: positions that are played (vector.c) and groupings that are
 * judged (vector_grouping.c). Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_VECTOR_TEXT_H
#define RUMMYD_ENGINE_RECORD_VECTOR_TEXT_H

#include "engine/record/lex.h"
#include "engine/record/vector.h"

enum { CARDS_TEXT_MAX = ENG_CARD_MAX * ENG_CARD_NAME_MAX + 1 };

/* Marks the vector as failed because of the text from `at` to the cursor; only the first failure is kept.
 * told and real: expected and actual value, or NULL if the message needs no values. */
void eng_vector_fail(struct eng_lex *lex, struct eng_vector *vector, size_t at, const char *what,
                     const char *stated, const char *real);
/* "TH1 X1" */
void eng_vector_cards_text(char out[CARDS_TEXT_MAX], const uint8_t *cards, int n);
int eng_vector_refusal_named(struct eng_lex *lex);

#endif
