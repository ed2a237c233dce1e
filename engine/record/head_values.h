/* Values that several headers of a record have. */
#ifndef RUMMYD_ENGINE_RECORD_HEAD_VALUES_H
#define RUMMYD_ENGINE_RECORD_HEAD_VALUES_H

#include "engine/record/heads_in.h"

/* Seats in ascending order, possibly none. */
bool eng_record_read_seats(struct eng_heads *h, uint8_t *mask);
/* One number per seat, not all of them 0: in that case the header is omitted. */
bool eng_record_read_small_numbers(struct eng_heads *h, uint8_t *numbers, int greatest, const char *expected);

#endif
