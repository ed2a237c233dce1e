/* Parses the headers of a record. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_HEADS_H
#define RUMMYD_ENGINE_RECORD_HEADS_H

#include "engine/record/lex.h"

/* All lines in brackets, up to the empty line (not consumed). */
bool eng_record_parse_heads(struct eng_lex *lex, struct eng_record *record);

#endif
