/* Pieces that the wire files share. */
#ifndef RUMMYD_TABLES_WIRE_IN_H
#define RUMMYD_TABLES_WIRE_IN_H

#include "tables/table_in.h"
#include "tables/wire.h"

/* What is played here, and for what: members of an object. */
void tab_wire_about(struct buf *out, const struct tab_table *table);
void tab_wire_card(struct buf *out, uint8_t card); /* null for ENG_NO_CARD */
void tab_wire_cards(struct buf *out, const char *key, const uint8_t *cards, int n);
void tab_wire_seat(struct buf *out, const char *key, uint8_t seat); /* null for ENG_NO_SEAT */
void tab_wire_seats(struct buf *out, const char *key, uint8_t mask);
/* `groups` of the cards, and `rest`: what is in none. */
void tab_wire_groups(struct buf *out, const uint8_t *cards, int n, int groups, const uint8_t *lens);
void tab_wire_rank(struct buf *out, const char *key, uint8_t rank);
void tab_wire_hex(struct buf *out, const char *key, const uint8_t *bytes,
                  size_t len); /* key NULL: an element */
void tab_wire_id(struct buf *out, const char *key, int64_t id);
void tab_wire_score(struct buf *out, const struct eng_event *scored);
void tab_wire_clock_data(struct buf *out, const struct tab_table *table, int64_t now_ms);
const char *tab_wire_end(uint8_t end); /* NULL: none */
const char *tab_wire_phase(uint8_t phase);

#endif
