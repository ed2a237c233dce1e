/* Draws, discards, and turn changes of the meld family. */
#ifndef RUMMYD_ENGINE_MELD_TURN_H
#define RUMMYD_ENGINE_MELD_TURN_H

#include "engine/core/step.h"

/* Whether the stock is empty and the pile may be turned over. */
bool eng_may_flip(const struct eng_game *game);
void eng_flip(struct eng_game *game, struct eng_outcome *out);
/* Whether the top discard may be taken without an obligation to open. */
bool eng_discard_is_free(const struct eng_game *game);
void eng_take_discard(struct eng_game *game, struct eng_outcome *out);
void eng_put_discard_back(struct eng_game *game, struct eng_outcome *out);
/* Discards these cards of the mover, which are legal and in their final order, and passes the turn. */
void eng_discard(struct eng_game *game, const uint8_t *cards, int n, struct eng_outcome *out);
enum eng_refusal eng_do_draw(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_flip(struct eng_game *game, struct eng_outcome *out);
enum eng_refusal eng_do_cancel_draw(struct eng_game *game, struct eng_outcome *out);
enum eng_refusal eng_do_discard(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);

#endif
