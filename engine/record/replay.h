/* Replays a record, and sets the verdict where the game differs. Engine only. */
#ifndef RUMMYD_ENGINE_RECORD_REPLAY_H
#define RUMMYD_ENGINE_RECORD_REPLAY_H

#include "engine/record/record.h"

/* Plays one move; a refusal becomes the verdict. */
bool eng_record_play_step(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out,
                          struct eng_verdict *verdict);
/* Makes the moves between two hands. false: sets the verdict. */
bool eng_record_play_between(const struct eng_between *between, struct eng_game *game,
                             struct eng_verdict *verdict);
/* If the record contains the end of the session, plays those actions and checks the result. *game is the
 * game after the last hand. */
bool eng_record_close_holds(const struct eng_record *record, struct eng_game *game,
                            struct eng_verdict *verdict);

#endif
