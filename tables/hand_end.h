/* The end of a hand, and of the session: scores and record, for the transaction that writes it. Hub thread.
 */
#ifndef RUMMYD_TABLES_HAND_END_H
#define RUMMYD_TABLES_HAND_END_H

#include "tables/table.h"

/* Fills table->write for the end. hand_ended: a hand has ended with the last move, and its record is written;
 * else the session ended between two hands, and what ended it is written below the last record. over: no hand
 * follows. false: memory is short, or the record does not re-play. */
bool tab_hand_end_prepare(struct tab_table *table, bool hand_ended, bool over);
/* The record of the running hand so far becomes table->write.record; NULL when there is none to be had. */
void tab_hand_end_record_so_far(struct tab_table *table);
/* The hand that has ended, with its seeds, becomes table->last. */
void tab_hand_end_keep(struct tab_table *table);

#endif
