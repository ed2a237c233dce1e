/* The end of a hand of the meld family. */
#ifndef RUMMYD_ENGINE_MELD_SCORE_H
#define RUMMYD_ENGINE_MELD_SCORE_H

#include "engine/core/step.h"

/* Ends the hand: out is the seat that went out, or ENG_NO_SEAT. */
void eng_hand_end(struct eng_game *game, enum eng_ending ending, uint8_t out_seat, struct eng_outcome *out);

#endif
