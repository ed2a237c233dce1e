/* Moves of players, bots, and the table, and deals. The engine applies a move, the journal writes it, and
 * once it is durable, its events are sent. Hub thread; dealing and bookkeeping on any thread where a table
 * is replayed. */
#ifndef RUMMYD_TABLES_MOVES_H
#define RUMMYD_TABLES_MOVES_H

#include "tables/table.h"

/* ---- Making a move ---- */
/* Applies a move and begins its write; if the engine refuses the move, nothing changes. id: id of the
 * command; "": the table's own move. out: events, or the offending cards. */
enum eng_refusal tab_moves_begin(struct tab_table *table, const struct eng_move *move, const char *id,
                                 struct eng_outcome *out);
/* The same for a move by the table itself. Logs a refusal. */
bool tab_moves_begin_own(struct tab_table *table, const struct eng_move *move);
/* Call this when a move is durable, alone or with the end of a hand or the session: sends its events and
 * the command's reply, and removes a player who left from the table. */
void tab_moves_written(struct tab_table *table);

/* Deals the hand hand_no from its seeds. false: the engine cannot deal now, or out of memory. */
bool tab_moves_deal(struct tab_table *table);
/* Starts the clock of a turn or of the grouping. */
void tab_moves_start_clock(struct tab_table *table);
/* Sends the events after sent_v up to the last one, and starts the clock with the event that starts it. */
void tab_moves_release(struct tab_table *table);

/* ---- For every move, live or replayed ---- */
/* Adds the events to the ring and updates everything derived from the move. id: as above. */
void tab_moves_note(struct tab_table *table, const struct eng_move *move, const char *id,
                    const struct eng_outcome *outcome);

#endif
