/* Vectors that only judge a grouping. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_VECTOR_GROUPING_H
#define RUMMYD_ENGINE_RECORD_VECTOR_GROUPING_H

#include "engine/record/lex.h"
#include "engine/record/vector.h"

/* Runs the vector after its title (the cursor is at "wild …") up to the empty line. false: it is
 * malformed. */
bool eng_vector_grouping_run(struct eng_lex *lex, struct eng_vector *vector);

#endif
