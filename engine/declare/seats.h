/* Which seats are in a hand of the declare family, and removing seats from it. */
#ifndef RUMMYD_ENGINE_DECLARE_SEATS_H
#define RUMMYD_ENGINE_DECLARE_SEATS_H

#include "engine/core/step.h"

/* Mask of the seats in the hand: dealt in, not dropped, and without a wrong declaration. */
uint8_t eng_seats_in(const struct eng_game *game);
/* What a drop costs this seat now. */
int eng_drop_points(const struct eng_game *game, uint8_t seat);
/* Removes the seat from the hand at this price. Does not pass its turn. */
void eng_drop_out(struct eng_game *game, uint8_t seat, enum eng_drop how, int points,
                  struct eng_outcome *out);

#endif
