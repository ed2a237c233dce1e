/* The state machine of the meld family (rummy51, straight, treff, rummy40, rami): melds are laid on the
 * table. family.c checks who may move; turn.c handles draws, discards, and turn changes; lay.c melds,
 * lay-offs, and swaps; system.c timeouts, leaving, and returning; and score.c the end of a hand. */
#ifndef RUMMYD_ENGINE_MELD_FAMILY_H
#define RUMMYD_ENGINE_MELD_FAMILY_H

#include "engine/core/step.h"

/* Whether this has the form of a move of this family. The cards must be valid. */
bool eng_meld_family_well_formed(const struct eng_move *move);
/* Applies a well-formed move, including leaving and returning between hands. */
enum eng_refusal eng_meld_family_apply(struct eng_game *game, const struct eng_move *move,
                                       struct eng_outcome *out);

#endif
