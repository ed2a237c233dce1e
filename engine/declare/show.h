/* Declarations and groupings. */
#ifndef RUMMYD_ENGINE_DECLARE_SHOW_H
#define RUMMYD_ENGINE_DECLARE_SHOW_H

#include "engine/core/step.h"

enum eng_refusal eng_do_declare(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_group(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
/* Scores the hand if no further grouping is pending. */
void eng_show_goes_on(struct eng_game *game, struct eng_outcome *out);

#endif
