/* Sessions of one or several hands: which total is better, when a session is over, and who has won it. Both
 * state machines add a hand's points to game->points (wins also to game->bonus), set the places, and call
 * eng_session_hand_over last. eng_deal deals the next hand; its starter is the next seat still in. */
#ifndef RUMMYD_ENGINE_CORE_SESSION_H
#define RUMMYD_ENGINE_CORE_SESSION_H

#include "engine/core/game.h"

/* Maximum number of hands in a session, including hands added by ties. */
int eng_session_hands_max(const struct eng_params *params);
/* Mask of the seats still in the session; in the meld family, all seats. */
uint8_t eng_session_in(const struct eng_game *game);
/* Whether total a is better than total b; false if they are equal. */
bool eng_total_better(const struct eng_params *params, int32_t a, int32_t b);
/* The highest total of the seats still in; 0 if there is none. */
int32_t eng_session_highest_in(const struct eng_game *game);
/* Whether this seat can rejoin the pool between two hands: it is out and has not left, and no seat still in
 * has more than rejoin_max points. */
bool eng_session_takes_back(const struct eng_game *game, uint8_t seat);
/* Whether there is no further hand: the maximum has been played, a total has reached the target, or only
 * one seat is still in and no other may rejoin. */
bool eng_session_is_over(const struct eng_game *game);
/* Ends the session because no player has rejoined the only seat still in. */
void eng_session_close(struct eng_game *game, struct eng_outcome *out);
/* One bit per winner of a session that is over; none if no seat has won. */
uint8_t eng_session_winners(const struct eng_game *game);
/* Sets the phase after the end of a hand; ends the session if this was the last hand. */
void eng_session_hand_over(struct eng_game *game, struct eng_outcome *out);

#endif
