/* State of the files that parse the headers of a record, and of no others. */
#ifndef RUMMYD_ENGINE_RECORD_HEADS_IN_H
#define RUMMYD_ENGINE_RECORD_HEADS_IN_H

#include "engine/record/heads.h"
#include "engine/record/text.h"

/* State while the headers are parsed. */
struct eng_heads {
    struct eng_lex *lex;
    struct eng_record *r;
    int seat;                 /* of a header that has one */
    uint8_t seen[HEAD_COUNT]; /* one bit per seat; 1 for the others */
    int params_n;
};

#endif
