/* The headers of a record, read. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_HEADS_H
#define RUMMYD_ENGINE_RECORD_HEADS_H

#include "engine/record/lex.h"

/* All lines in brackets, up to the empty line (not taken). */
bool record_parse_heads(struct lex *lex, struct eng_record *record);

/* ---- record_parse.c ---- */
/* One action of a turn. seat: of the line, ENG_NO_SEAT when it has none. */
bool record_parse_step(struct lex *lex, const struct eng_record *record, uint8_t seat, struct eng_step *step);
/* The line `result` and the scores below it. */
bool record_parse_result(struct lex *lex, struct eng_record *record);

/* ---- record_between.c ---- */
/* What was done since the hand before. */
bool record_parse_between(struct lex *lex, int players, struct eng_between *between);
/* How the session ended, if that is told here. */
bool record_parse_close(struct lex *lex, struct eng_record *record);

#endif
