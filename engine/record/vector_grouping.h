/* Vectors that only judge a grouping. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_VECTOR_GROUPING_H
#define RUMMYD_ENGINE_RECORD_VECTOR_GROUPING_H

#include "engine/record/lex.h"
#include "engine/record/vector.h"

/* Runs what follows the title, up to the empty line: the cursor is at "wild …". false: it is malformed. */
bool eng_vector_grouping_run(struct eng_lex *lex, struct eng_vector *vector);

#endif
