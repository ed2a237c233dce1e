/* Types of values that several headers of a record share. */
#ifndef RUMMYD_ENGINE_RECORD_HEAD_VALUES_H
#define RUMMYD_ENGINE_RECORD_HEAD_VALUES_H

#include "engine/record/heads_in.h"

/* Parses seats in ascending order, possibly none. */
bool eng_record_read_seats(struct eng_heads *h, uint8_t *mask);
/* Parses one number per seat, not all of them 0, because the header is then omitted. */
bool eng_record_read_small_numbers(struct eng_heads *h, uint8_t *numbers, int greatest, const char *expected);

#endif
