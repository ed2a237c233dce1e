/* Members and values shared by several frames. Each function appends to `out` and keeps the current object
 * open. Any thread; they only read the table. */
#ifndef RUMMYD_TABLES_WIRE_PIECES_H
#define RUMMYD_TABLES_WIRE_PIECES_H

#include "tables/state.h"
#include "tables/wire.h"
#include "wire/game.h"
#include "wire/values.h"

/* ---- Parts of several frames ---- */
/* The table's game and stakes. */
void tab_wire_about(struct buf *out, const struct tab_table *table);
/* The player in the seat, and whether they are connected. */
void tab_wire_person(struct buf *out, const struct tab_table *table, uint8_t seat);
/* The running clock, as an object. */
void tab_wire_clock_data(struct buf *out, const struct tab_table *table, int64_t now_ms);

/* ---- Frames without a version ---- */
/* Writes {"t":type,"d":{ and leaves both objects open. */
void tab_wire_open_state(struct buf *out, enum wire_frame frame);
/* Closes both objects. */
void tab_wire_close_state(struct buf *out);

#endif
