/* The part of a position that exists only in the declare family. */
#ifndef RUMMYD_ENGINE_PLAY_SETUP_DECLARE_H
#define RUMMYD_ENGINE_PLAY_SETUP_DECLARE_H

#include "engine/play/setup.h"

/* Sets the part for the declare family, after the hands; false: sets the fault. */
bool eng_setup_declare(struct eng_game *game, const struct eng_setup *setup, struct eng_cards *remainder,
                       struct eng_setup_fault *fault);

#endif
