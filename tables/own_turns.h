/* Own turns: the number of turns a seat had in its game, and the number in which the player, not a bot or
 * the clock, acted. The settlement rewards only players who acted in enough turns (took_part in
 * db/functions/settle). The counts are derived from the moves, so they survive a restart. Hub thread; any
 * thread where a table is replayed. */
#ifndef RUMMYD_TABLES_OWN_TURNS_H
#define RUMMYD_TABLES_OWN_TURNS_H

#include "engine/eng.h"

enum { TAB_TURNS_MAX = INT16_MAX }; /* more than 99 hands of 100 turns; a smallint in the database */

/* Counts of one seat over all hands of a session. A turn counts from its first move, no matter who makes
 * it. */
struct tab_own_turns {
    uint16_t turns, own;
    bool counted, acted; /* state of the running turn */
};

/* Called for every move of the table before its events. sent: the player sent the move. */
void tab_own_turns_note_move(struct tab_own_turns *own, const struct eng_move *move, bool sent);
/* Called when a turn of this seat begins. */
void tab_own_turns_begin(struct tab_own_turns *own);

#endif
