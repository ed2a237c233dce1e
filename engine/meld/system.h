/* Timeouts, leaving, and returning in the meld family. */
#ifndef RUMMYD_ENGINE_MELD_SYSTEM_H
#define RUMMYD_ENGINE_MELD_SYSTEM_H

#include "engine/core/step.h"

enum eng_refusal eng_do_system(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);

#endif
