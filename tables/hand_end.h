/* Prepares scores and the record at the end of a hand or of the session, for the transaction that writes
 * them. Hub thread.
 */
#ifndef RUMMYD_TABLES_HAND_END_H
#define RUMMYD_TABLES_HAND_END_H

#include "tables/table.h"

/* Fills table->write for the end. hand_ended: a hand ended with the last move, and its record is written;
 * otherwise, the session ended between two hands, and its end is appended to the last record. over: no
 * further hand. false: out of memory, or the record does not replay. */
bool tab_hand_end_prepare(struct tab_table *table, bool hand_ended, bool over);
/* Stores the record of the running hand up to now in table->write.record; NULL if there is none. */
void tab_hand_end_record_so_far(struct tab_table *table);
/* Keeps the hand that has ended, with its seeds, as table->last. */
void tab_hand_end_keep(struct tab_table *table);

#endif
