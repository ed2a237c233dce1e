/* Rule vectors: a position, moves, and the expected results; or groups and a wild card, and their expected
 * worth. The notation is that of records (docs/records.md, "Vectors"). Used by `rummyd vectors`. No
 * allocation, no I/O. */
#ifndef RUMMYD_ENGINE_RECORD_VECTOR_H
#define RUMMYD_ENGINE_RECORD_VECTOR_H

#include "engine/record/record.h"

enum { ENG_VECTOR_TITLE_MAX = 120, ENG_VECTOR_WRONG_MAX = 1024 };

struct eng_vector {
    char title[ENG_VECTOR_TITLE_MAX]; /* empty: the title could not be parsed */
    uint32_t line, column;            /* of the failure if there was one, otherwise of the title */
    char wrong[ENG_VECTOR_WRONG_MAX]; /* empty: passed */
};

/* Runs the vectors of a text one after another and reports each. A malformed vector counts as failed, and
 * the run continues with the next line that begins with `vector `. Returns how many bytes were scanned to
 * compute positions, which is little more than len. */
size_t eng_vectors_run(const char *text, size_t len,
                       void (*report)(void *arg, const struct eng_vector *vector), void *arg);

#endif
