/* How a turn of the declare family ends. */
#ifndef RUMMYD_ENGINE_DECLARE_TURN_H
#define RUMMYD_ENGINE_DECLARE_TURN_H

#include "engine/core/step.h"

/* Ends the current turn: begins the next one, or ends the hand. */
void eng_pass_on(struct eng_game *game, struct eng_outcome *out);
/* Discards this card of the mover; does not pass the turn. */
void eng_discard_one(struct eng_game *game, uint8_t card, struct eng_outcome *out);

#endif
