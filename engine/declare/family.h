/* The state machine of the declare family (the Indian 13-card games): melds stay in the hand until a
 * player declares. family.c checks who may move and handles draws, discards, and drops; turn.c ends turns;
 * show.c handles declarations and groupings, system.c the table's moves and rejoining, score.c the end of a
 * hand, and seats.c which seats are in it. */
#ifndef RUMMYD_ENGINE_DECLARE_FAMILY_H
#define RUMMYD_ENGINE_DECLARE_FAMILY_H

#include "engine/core/step.h"

/* Whether this has the form of a move of this family. The cards must be valid. */
bool eng_declare_family_well_formed(const struct eng_move *move);
/* Applies a well-formed move, including leaving and returning between hands. */
enum eng_refusal eng_declare_family_apply(struct eng_game *game, const struct eng_move *move,
                                          struct eng_outcome *out);
/* Whether the top discard may be taken: it is neither a joker nor a wild card, or it is the card that
 * started the pile. */
bool eng_may_take(const struct eng_game *game);

#endif
