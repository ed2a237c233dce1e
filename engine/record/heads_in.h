/* State shared only by the files that parse the headers of a record. */
#ifndef RUMMYD_ENGINE_RECORD_HEADS_IN_H
#define RUMMYD_ENGINE_RECORD_HEADS_IN_H

#include "engine/record/heads.h"
#include "engine/record/text.h"

/* State while the headers are parsed. */
struct eng_heads {
    struct eng_lex *lex;
    struct eng_record *r;
    int seat;                 /* of the current header, if it has one */
    uint8_t seen[HEAD_COUNT]; /* one bit per seat; 1 for headers without a seat */
    int params_n;
};

#endif
