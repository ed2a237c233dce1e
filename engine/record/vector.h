/* Rule vectors: a position, moves, and what must come of them; or groups and a wild card, and what they are
 * worth. In the notation of records (docs/records.md, "Vectors"). Used by `rummyd vectors`. No allocation, no
 * I/O. */
#ifndef RUMMYD_ENGINE_RECORD_VECTOR_H
#define RUMMYD_ENGINE_RECORD_VECTOR_H

#include "engine/record/record.h"

enum { ENG_VECTOR_TITLE_MAX = 120, ENG_VECTOR_WRONG_MAX = 240 };

struct eng_vector {
    char title[ENG_VECTOR_TITLE_MAX];
    uint32_t line, column;            /* of its title; of what failed, when it did */
    char wrong[ENG_VECTOR_WRONG_MAX]; /* empty: it holds */
};

/* Runs the vectors of a text one after the other; tells each. false: the text is not well formed, *error
 * says where; what stands before it has run. */
bool eng_vectors_run(const char *text, size_t len, void (*tell)(void *arg, const struct eng_vector *vector),
                     void *arg, struct eng_record_error *error);

#endif
