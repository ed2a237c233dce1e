/* Own turns: how many turns a seat had in its game, and in how many of them its player acted themselves. The
 * settlement rewards only players who acted in enough of them (took_part in db/functions/settle). The counts
 * follow from the moves, so a restart loses none. Hub thread; where a table is replayed, any. */
#ifndef RUMMYD_TABLES_OWN_TURNS_H
#define RUMMYD_TABLES_OWN_TURNS_H

#include "engine/eng.h"

enum { TAB_TURNS_MAX = INT16_MAX }; /* above 99 hands of 100 turns; a smallint in the database */

/* Of one seat, over all hands of a session. A turn counts from its first move, whoever makes it. */
struct tab_own_turns {
    uint16_t turns, own;
    bool counted, acted; /* in the running turn */
};

/* Called for every move of the table before its events. sent: the player sent the move themselves. */
void tab_own_turns_note_move(struct tab_own_turns *own, const struct eng_move *move, bool sent);
/* A turn of this seat begins. */
void tab_own_turns_begin(struct tab_own_turns *own);

#endif
