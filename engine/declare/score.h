/* The end of a hand of the declare family. */
#ifndef RUMMYD_ENGINE_DECLARE_SCORE_H
#define RUMMYD_ENGINE_DECLARE_SCORE_H

#include "engine/core/step.h"

/* Ends the hand. winner: a seat or ENG_NO_SEAT. */
void eng_declare_end(struct eng_game *game, enum eng_ending ending, uint8_t winner, struct eng_outcome *out);
/* Updates the places after a seat has left between hands. */
void eng_declare_places(struct eng_game *game);

#endif
