/* Melds, lay-offs, and swaps. */
#ifndef RUMMYD_ENGINE_MELD_LAY_H
#define RUMMYD_ENGINE_MELD_LAY_H

#include "engine/core/step.h"

enum eng_refusal eng_do_meld(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_take_back(struct eng_game *game, const struct eng_move *move,
                                  struct eng_outcome *out);
enum eng_refusal eng_do_lay_off(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_swap(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
void eng_return_staged(struct eng_game *game, struct eng_outcome *out);
void eng_undo_swaps(struct eng_game *game, struct eng_outcome *out);
/* Marks a freed joker as used when it leaves the hand. */
void eng_joker_used(struct eng_game *game, uint8_t card);

#endif
