/* Parses the headers of a position. */
#ifndef RUMMYD_ENGINE_RECORD_POSITION_H
#define RUMMYD_ENGINE_RECORD_POSITION_H

#include "engine/record/heads_in.h"

/* Parses the value of a header that only a position has. */
bool eng_record_read_position(struct eng_heads *h, int head);

#endif
