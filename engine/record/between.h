/* Actions between two hands, in records. Engine only; see record.h for more. */
#ifndef RUMMYD_ENGINE_RECORD_BETWEEN_H
#define RUMMYD_ENGINE_RECORD_BETWEEN_H

#include "engine/record/lex.h"

/* "leave 3, rejoin 2" */
void eng_record_print_between(const struct eng_between *between, struct buf *out);
/* Parses the actions since the previous hand. */
bool eng_record_parse_between(struct eng_lex *lex, int players, struct eng_between *between);
/* Parses how the session ended, if the record states it here. */
bool eng_record_parse_close(struct eng_lex *lex, struct eng_record *record);

#endif
