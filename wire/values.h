/* Values in frames: cards, seats, ids, groups, as in asyncapi.yaml. Each function appends to `out` and
 * keeps the current object open. Pure, any thread. */
#ifndef RUMMYD_WIRE_VALUES_H
#define RUMMYD_WIRE_VALUES_H

#include "base/buf.h"
#include "engine/eng.h"

void wire_card(struct buf *out, uint8_t card); /* ENG_NO_CARD becomes null */
void wire_cards(struct buf *out, const char *key, const uint8_t *cards, int n);
void wire_seat(struct buf *out, const char *key, uint8_t seat); /* ENG_NO_SEAT becomes null */
/* A list of the seats in the mask. */
void wire_seats(struct buf *out, const char *key, uint8_t mask);
/* `groups`: lists of cards with the lengths in lens. `rest`: the ungrouped cards. */
void wire_groups(struct buf *out, const uint8_t *cards, int n, int groups, const uint8_t *lens);
void wire_rank(struct buf *out, const char *key, uint8_t rank);
/* At most 32 bytes. key NULL: an array element. */
void wire_hex(struct buf *out, const char *key, const uint8_t *bytes, size_t len);
/* A 64-bit id, as a string because JavaScript's numbers are not precise enough. */
void wire_id(struct buf *out, const char *key, int64_t id);
void wire_bool_or_null(struct buf *out, const char *key, bool is, bool shown);
void wire_number_or_null(struct buf *out, const char *key, int64_t number, bool shown);
const char *wire_end(uint8_t end);   /* the end of a run; NULL: neither */
const char *wire_kind(uint8_t kind); /* of a meld */

#endif
