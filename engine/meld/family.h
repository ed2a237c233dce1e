/* The state machine of the meld family (rummy51, straight, treff, rummy40, rami): melds are laid on the
 * table. family.c checks who may move, turn.c handles draws, discards, and turn changes, lay.c melds,
 * lay-offs, and swaps, system.c timeouts, leaving, and returning, score.c the end of a hand. */
#ifndef RUMMYD_ENGINE_MELD_FAMILY_H
#define RUMMYD_ENGINE_MELD_FAMILY_H

#include "engine/core/step.h"

/* ---- family.c ---- */
/* Whether this can be a move of the family at all. Cards are known to exist. */
bool eng_meld_family_well_formed(const struct eng_move *move);
/* Applies a well-formed move; also leaving and returning between hands. */
enum eng_refusal eng_meld_family_apply(struct eng_game *game, const struct eng_move *move,
                                       struct eng_outcome *out);
/* The discard taken in this turn, ENG_NO_CARD if there is none. */
uint8_t eng_taken_discard(const struct eng_game *game);
bool eng_has_staged(const struct eng_game *game);

/* ---- turn.c ---- */
/* The stock is empty and the pile may be turned over. */
bool eng_may_flip(const struct eng_game *game);
void eng_flip(struct eng_game *game, struct eng_outcome *out);
/* The top discard may be taken without an obligation to open. */
bool eng_discard_is_free(const struct eng_game *game);
void eng_take_discard(struct eng_game *game, struct eng_outcome *out);
void eng_put_discard_back(struct eng_game *game, struct eng_outcome *out);
/* Discards these cards of the mover, which are legal and in their final order, and passes the turn. */
void eng_discard(struct eng_game *game, const uint8_t *cards, int n, struct eng_outcome *out);
enum eng_refusal eng_do_draw(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_flip(struct eng_game *game, struct eng_outcome *out);
enum eng_refusal eng_do_cancel_draw(struct eng_game *game, struct eng_outcome *out);
enum eng_refusal eng_do_discard(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);

/* ---- lay.c ---- */
enum eng_refusal eng_do_meld(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_take_back(struct eng_game *game, const struct eng_move *move,
                                  struct eng_outcome *out);
enum eng_refusal eng_do_lay_off(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_swap(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
void eng_return_staged(struct eng_game *game, struct eng_outcome *out);
void eng_undo_swaps(struct eng_game *game, struct eng_outcome *out);
/* A freed joker leaves the hand: it counts as used. */
void eng_joker_used(struct eng_game *game, uint8_t card);

/* ---- system.c ---- */
enum eng_refusal eng_do_system(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);

/* ---- score.c ---- */
/* Ends the hand: out is the seat that went out, or ENG_NO_SEAT. */
void eng_hand_end(struct eng_game *game, enum eng_ending ending, uint8_t out_seat, struct eng_outcome *out);

#endif
