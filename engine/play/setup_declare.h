/* The part of a position that only the declare family has. */
#ifndef RUMMYD_ENGINE_PLAY_SETUP_DECLARE_H
#define RUMMYD_ENGINE_PLAY_SETUP_DECLARE_H

#include "engine/play/setup.h"

/* The part for the declare family, after the hands; false: with the fault. */
bool eng_setup_declare(struct eng_game *game, const struct eng_setup *setup, struct eng_cards *remainder,
                       struct eng_setup_fault *fault);

#endif
