/* Parses the headers of a record. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_HEADS_H
#define RUMMYD_ENGINE_RECORD_HEADS_H

#include "engine/record/lex.h"

/* All lines in brackets, up to the empty line (not consumed). */
bool eng_record_parse_heads(struct eng_lex *lex, struct eng_record *record);

/* ---- parse.c ---- */
/* One action of a turn. seat: of the line, ENG_NO_SEAT if it has none. */
bool eng_record_parse_step(struct eng_lex *lex, const struct eng_record *record, uint8_t seat,
                           struct eng_step *step);
/* The line `result` and the scores after it. */
bool eng_record_parse_result(struct eng_lex *lex, struct eng_record *record);

/* ---- between.c ---- */
/* Actions since the previous hand. */
bool eng_record_parse_between(struct eng_lex *lex, int players, struct eng_between *between);
/* How the session ended, if it is given here. */
bool eng_record_parse_close(struct eng_lex *lex, struct eng_record *record);

#endif
