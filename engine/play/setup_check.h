/* Helpers shared by the checks of a position. */
#ifndef RUMMYD_ENGINE_PLAY_SETUP_CHECK_H
#define RUMMYD_ENGINE_PLAY_SETUP_CHECK_H

#include "engine/play/setup.h"

/* Fills in the fault; always returns false. */
bool eng_setup_blame(struct eng_setup_fault *fault, const char *header, uint8_t seat, uint8_t card,
                     const char *text);

/* Seats that do not take part in the hand: eliminated from the session before it. */
uint8_t eng_setup_sat_out(const struct eng_setup *setup, int players);
/* Removes the cards from the pack's remainder. Returns the first card that is not in this pack or already
 * placed, or ENG_NO_CARD. */
uint8_t eng_setup_claim(struct eng_cards *remainder, const uint8_t *cards, int n);

#endif
