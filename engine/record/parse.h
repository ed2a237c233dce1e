/* Parses parts of a record after its headers. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_PARSE_H
#define RUMMYD_ENGINE_RECORD_PARSE_H

#include "engine/record/lex.h"

/* Parses one action of a turn. seat: the seat of the line, or ENG_NO_SEAT if it has none. */
bool eng_record_parse_step(struct eng_lex *lex, const struct eng_record *record, uint8_t seat,
                           struct eng_step *step);
/* Parses the line `result` and the scores after it. */
bool eng_record_parse_result(struct eng_lex *lex, struct eng_record *record);

#endif
