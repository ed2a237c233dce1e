/* Parts of frames that depend only on the game: events, views, and moves. Only eng_view and eng_event_view
 * determine what a viewer may see. tables/ adds players, rooms, and clocks; wasm/ passes these parts to
 * JavaScript unchanged. Pure, any thread. */
#ifndef RUMMYD_WIRE_GAME_H
#define RUMMYD_WIRE_GAME_H

#include "base/buf.h"
#include "engine/core/params.h"
#include "engine/eng.h"

/* ---- Events ---- */
/* Writes a whole frame. game: the game after the move that caused the event; viewer: a seat or
 * ENG_SPECTATOR. */
void wire_event(struct buf *out, const struct eng_game *game, uint32_t v, const struct eng_event *event,
                uint8_t viewer);
/* Members with a seat's result of the hand. */
void wire_score(struct buf *out, const struct eng_event *scored);

/* ---- Views: members of `d` of a snapshot, in this order ---- */
/* Variant, parameters, number of the hand, totals, viewer, phase, seat to move. */
void wire_view_session(struct buf *out, const struct eng_view *view);
/* A seat's part of the game. */
void wire_view_seat(struct buf *out, const struct eng_view *view, uint8_t seat);
/* The viewer's hand, the piles, the melds, the turn; then the additional members of the declare family. */
void wire_view_table(struct buf *out, const struct eng_view *view);
/* `params`: an object with every field of the row. */
void wire_params(struct buf *out, const struct eng_params *params);

/* ---- Moves ---- */
/* The name of the command for a move of this type. The two moves that only the table makes are time_out and
 * close. */
const char *wire_move_name(uint8_t type);
/* {"t":name,"d":{…}}. Ungrouped cards of a declaration or a grouping are omitted, as in the commands. */
void wire_move(struct buf *out, const struct eng_move *move);
/* Members `types` and `moves` of `legal`: the viewer's legal moves. hints: put good moves first. */
void wire_legal(struct buf *out, const struct eng_view *view, bool hints);

#endif
