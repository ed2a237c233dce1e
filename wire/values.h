/* Values that frames are made of: cards, seats, ids, groups, as asyncapi.yaml has them. Each function writes
 * to `out`, and leaves the object that is open there open. Pure, any thread. */
#ifndef RUMMYD_WIRE_VALUES_H
#define RUMMYD_WIRE_VALUES_H

#include "base/buf.h"
#include "engine/eng.h"

void wire_card(struct buf *out, uint8_t card); /* ENG_NO_CARD: null */
void wire_cards(struct buf *out, const char *key, const uint8_t *cards, int n);
void wire_seat(struct buf *out, const char *key, uint8_t seat); /* ENG_NO_SEAT: null */
/* A list of the seats whose bits are set. */
void wire_seats(struct buf *out, const char *key, uint8_t mask);
/* `groups`: lists of as many cards as lens says. `rest`: the cards that are in no group. */
void wire_groups(struct buf *out, const uint8_t *cards, int n, int groups, const uint8_t *lens);
void wire_rank(struct buf *out, const char *key, uint8_t rank);
/* At most 32 bytes. key NULL: an element of a list. */
void wire_hex(struct buf *out, const char *key, const uint8_t *bytes, size_t len);
/* A 64-bit id, as text: JavaScript's numbers are too short for it. */
void wire_id(struct buf *out, const char *key, int64_t id);
void wire_bool_or_null(struct buf *out, const char *key, bool is, bool shown);
void wire_number_or_null(struct buf *out, const char *key, int64_t number, bool shown);
const char *wire_end(uint8_t end);   /* of a run; NULL: neither */
const char *wire_kind(uint8_t kind); /* of a meld */

#endif
