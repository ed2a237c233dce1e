/* Shared by the two files that parse the headers of a record, and no others. */
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

/* Seats in ascending order, possibly none. */
bool eng_record_read_seats(struct eng_heads *h, uint8_t *mask);
/* One number per seat, not all of them 0: in that case the header is omitted. */
bool eng_record_read_small_numbers(struct eng_heads *h, uint8_t *numbers, int greatest, const char *expected);

/* ---- position.c ---- */
/* The value of a header that only a position has. */
bool eng_record_read_position(struct eng_heads *h, int head);

#endif
