/* Moves of a table, whoever makes them: the engine applies one, it goes to the journal, and when it is
 * durable its events go out. Deals, too. Hub thread; dealing and noting also where a table is re-played. */
#ifndef RUMMYD_TABLES_MOVES_H
#define RUMMYD_TABLES_MOVES_H

#include "tables/table.h"

/* ---- Making a move ---- */
/* The engine takes the move, and the write of it is on its way; or the engine refuses, and nothing has
 * changed. id: of the command that makes it; "": it is the table's own. out: events, or the cards that
 * offend. */
enum eng_refusal tab_moves_begin(struct tab_table *table, const struct eng_move *move, const char *id,
                                 struct eng_outcome *out);
/* The same for a move of the table itself. A refusal is logged. */
bool tab_moves_begin_own(struct tab_table *table, const struct eng_move *move);
/* A move is durable, alone or with what it ended: its events go out, its command has its reply, and a person
 * who left is not at the table any more. */
void tab_moves_written(struct tab_table *table);

/* Deals the promised hand from its seeds. false: the engine does not deal now. */
bool tab_moves_deal(struct tab_table *table);
/* A turn, or the grouping, begins. */
void tab_moves_start_clock(struct tab_table *table);
/* Events after sent_v up to the last one go out. Clocks start with the event that starts them. */
void tab_moves_release(struct tab_table *table);

/* ---- Of every move, live or re-played ---- */
/* The event ring, and what the table remembers of the move. id: as above. */
void tab_moves_note(struct tab_table *table, const struct eng_move *move, const char *id,
                    const struct eng_outcome *outcome);

#endif
