/* The stock and the discard pile, shared by both state machines. */
#ifndef RUMMYD_ENGINE_CORE_PILES_H
#define RUMMYD_ENGINE_CORE_PILES_H

#include "engine/core/game.h"

/* Whether the stock has a card or can be renewed. */
bool eng_stock_lasts(const struct eng_game *game);
void eng_draw_from_stock(struct eng_game *game, struct eng_outcome *out);
/* obliges: the taker must open in this turn. */
void eng_draw_from_discard(struct eng_game *game, bool obliges, struct eng_outcome *out);
/* Moves these cards from the mover's hand to the discard pile in this order. */
void eng_cards_fall(struct eng_game *game, const uint8_t *cards, int n, struct eng_outcome *out);

#endif
