/* What of the frames the game alone says: its events, what a seat sees, moves. What a viewer may see comes
 * from eng_view and eng_event_view. tables/ adds to it what it knows of people, rooms and clocks, wasm/ gives
 * it to JavaScript as it is. Pure, any thread. */
#ifndef RUMMYD_WIRE_GAME_H
#define RUMMYD_WIRE_GAME_H

#include "base/buf.h"
#include "engine/core/params.h"
#include "engine/eng.h"

/* ---- Events ---- */
/* A whole frame. game: as it is after the move that the event is of; viewer: a seat, or ENG_SPECTATOR. */
void wire_event(struct buf *out, const struct eng_game *game, uint32_t v, const struct eng_event *event,
                uint8_t viewer);
/* Members: how a seat came out of the hand. */
void wire_score(struct buf *out, const struct eng_event *scored);

/* ---- Views: members of `d` of a snapshot, in this order ---- */
/* Variant, parameters, number of the hand, totals, whose view it is, phase, who is to move. */
void wire_view_session(struct buf *out, const struct eng_view *view);
/* Of one seat: what the game says of it. */
void wire_view_seat(struct buf *out, const struct eng_view *view, uint8_t seat);
/* The viewer's hand, the piles, the melds, the turn; then what the declare family has besides. */
void wire_view_table(struct buf *out, const struct eng_view *view);
/* `params`: an object with every field of the row. */
void wire_params(struct buf *out, const struct eng_params *params);

/* ---- Moves ---- */
/* The name of the command that makes a move of this type; the two that only the table makes: time_out, close.
 */
const char *wire_move_name(uint8_t type);
/* {"t":name,"d":{…}}. What a declaration or a grouping holds in no group is not told, as in the commands. */
void wire_move(struct buf *out, const struct eng_move *move);
/* Members `types` and `moves` of `legal`: what the viewer may do now. hints: good moves come first. */
void wire_legal(struct buf *out, const struct eng_view *view, bool hints);

#endif
