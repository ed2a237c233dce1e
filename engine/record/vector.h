/* Rule vectors: a position, moves, and what must come of them; or groups and a wild card, and what they are
 * worth. In the notation of records (docs/records.md, "Vectors"). Used by `rummyd vectors`. No allocation, no
 * I/O. */
#ifndef RUMMYD_ENGINE_RECORD_VECTOR_H
#define RUMMYD_ENGINE_RECORD_VECTOR_H

#include "engine/record/record.h"

enum { ENG_VECTOR_TITLE_MAX = 120, ENG_VECTOR_WRONG_MAX = 1024 };

struct eng_vector {
    char title[ENG_VECTOR_TITLE_MAX]; /* empty: it has none that could be read */
    uint32_t line, column;            /* of its title; of what failed, when it did */
    char wrong[ENG_VECTOR_WRONG_MAX]; /* empty: it holds */
};

/* Runs the vectors of a text one after the other and tells each. One that is not well formed has failed; what
 * follows from the next line on that begins with `vector ` is run. Returns how many bytes were looked at to
 * say where things stand: not many more than there are. */
size_t eng_vectors_run(const char *text, size_t len, void (*tell)(void *arg, const struct eng_vector *vector),
                       void *arg);

#endif
