/* Parses the headers of a record. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_HEADS_H
#define RUMMYD_ENGINE_RECORD_HEADS_H

#include "engine/record/lex.h"

/* Parses all lines in brackets, up to the empty line (which it does not consume). */
bool eng_record_parse_heads(struct eng_lex *lex, struct eng_record *record);

#endif
