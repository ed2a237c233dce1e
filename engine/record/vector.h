/* Rule vectors: a position, moves, and the expected results; or groups and a wild card, and their expected
 * worth. In the notation of records (docs/records.md, "Vectors"). Used by `rummyd vectors`. No allocation, no
 * I/O. */
#ifndef RUMMYD_ENGINE_RECORD_VECTOR_H
#define RUMMYD_ENGINE_RECORD_VECTOR_H

#include "engine/record/record.h"

enum { ENG_VECTOR_TITLE_MAX = 120, ENG_VECTOR_WRONG_MAX = 1024 };

struct eng_vector {
    char title[ENG_VECTOR_TITLE_MAX]; /* empty: it could not be parsed */
    uint32_t line, column;            /* of its title; of the failure, if there was one */
    char wrong[ENG_VECTOR_WRONG_MAX]; /* empty: it passed */
};

/* Runs the vectors of a text one after another and reports each. A malformed one has failed; execution
 * continues with the next line that begins with `vector `. Returns how many bytes were scanned to compute
 * positions: not many more than there are. */
size_t eng_vectors_run(const char *text, size_t len,
                       void (*report)(void *arg, const struct eng_vector *vector), void *arg);

#endif
