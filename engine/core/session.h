/* Sessions of one or several hands: whose total is better, when the session is over, who has won it.
 * Both state machines add a hand's points to game->points (wins to game->bonus too), set the places
 * and call eng_session_hand_over last. The next hand is dealt by eng_deal; its starter is the next seat
 * that is still in. */
#ifndef RUMMYD_ENGINE_CORE_SESSION_H
#define RUMMYD_ENGINE_CORE_SESSION_H

#include "engine/core/game.h"

/* Hands of a session at most: ties may add some. */
int eng_session_hands_max(const struct eng_params *params);
/* Bits of the seats that are still in the session: all of them in the meld family. */
uint8_t eng_session_in(const struct eng_game *game);
/* Is total a better than b? Neither when they are equal. */
bool eng_total_better(const struct eng_params *params, int32_t a, int32_t b);
/* The highest total of those who are in; 0 if nobody is. */
int32_t eng_session_highest_in(const struct eng_game *game);
/* A pool takes this seat back, if it is between two hands: it is out and has not left, and nobody who is in
 * has too many points. */
bool eng_session_takes_back(const struct eng_game *game, uint8_t seat);
/* No hand follows: so many were played, a total reached the target, or one seat alone is still in and nobody
 * may re-join it. */
bool eng_session_is_over(const struct eng_game *game);
/* Ends the session: nobody has re-joined the one who is still in. */
void eng_session_close(struct eng_game *game, struct eng_outcome *out);
/* A bit for each winner of a session that is over; none if nobody has won. */
uint8_t eng_session_winners(const struct eng_game *game);
/* The hand is over: its phase, and the session's end when it is one. */
void eng_session_hand_over(struct eng_game *game, struct eng_outcome *out);

#endif
