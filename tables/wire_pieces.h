/* Members and values that several frames are made of. Each function writes to `out` and leaves the object
 * that is open there open. Any thread: they read the table and keep nothing. */
#ifndef RUMMYD_TABLES_WIRE_PIECES_H
#define RUMMYD_TABLES_WIRE_PIECES_H

#include "tables/state.h"
#include "tables/wire.h"

/* ---- Values ---- */
void tab_wire_card(struct buf *out, uint8_t card); /* ENG_NO_CARD: null */
void tab_wire_cards(struct buf *out, const char *key, const uint8_t *cards, int n);
void tab_wire_seat(struct buf *out, const char *key, uint8_t seat); /* ENG_NO_SEAT: null */
/* A list of the seats whose bits are set. */
void tab_wire_seats(struct buf *out, const char *key, uint8_t mask);
/* `groups`: lists of as many cards as lens says. `rest`: the cards that are in no group. */
void tab_wire_groups(struct buf *out, const uint8_t *cards, int n, int groups, const uint8_t *lens);
void tab_wire_rank(struct buf *out, const char *key, uint8_t rank);
/* At most 32 bytes. key NULL: an element of a list. */
void tab_wire_hex(struct buf *out, const char *key, const uint8_t *bytes, size_t len);
/* A 64-bit id, as text: JavaScript's numbers are too short for it. */
void tab_wire_id(struct buf *out, const char *key, int64_t id);
void tab_wire_number_or_null(struct buf *out, const char *key, int64_t number, bool shown);
const char *tab_wire_end(uint8_t end); /* of a run; NULL: neither */

/* ---- What several frames tell ---- */
/* What is played at the table, and for what. */
void tab_wire_about(struct buf *out, const struct tab_table *table);
/* Who sits in the seat, and whether they are connected. */
void tab_wire_person(struct buf *out, const struct tab_table *table, uint8_t seat);
/* How a seat came out of the hand. */
void tab_wire_score(struct buf *out, const struct eng_event *scored);
/* The running clock: an object. */
void tab_wire_clock_data(struct buf *out, const struct tab_table *table, int64_t now_ms);

/* ---- Frames without a version ---- */
/* {"t":type,"d":{: both stay open. */
void tab_wire_open_state(struct buf *out, enum tab_frame frame);
/* Closes both. */
void tab_wire_close_state(struct buf *out);

#endif
