/* Shuffles from the random stream of a hand (docs/fairness.md). Used by eng_deal and, when the stock is
 * renewed, by the state machine. */
#ifndef RUMMYD_ENGINE_CORE_DEAL_H
#define RUMMYD_ENGINE_CORE_DEAL_H

#include "engine/core/game.h"

/* Fisher-Yates shuffle from the last card down, with the next words of the hand's stream. */
void eng_shuffle(struct eng_game *game, uint8_t *cards, int n);

#endif
