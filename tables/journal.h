/* The only path between a table and the journal. Hub thread. */
#ifndef RUMMYD_TABLES_JOURNAL_H
#define RUMMYD_TABLES_JOURNAL_H

#include "tables/table.h"

/* Passes table->write, with the members for this kind set, to the journal, which owns it until
 * tab_written(). No other write may be pending. */
void tab_journal_begin(struct tab_table *table, enum tab_write_kind kind);
/* Ends the pending write after it has completed. */
void tab_journal_end(struct tab_table *table);
/* The extra data of a write that is more than a move: zeroed, or as already filled in. */
struct tab_write_more *tab_journal_more(struct tab_table *table);
/* Frees the last write's extra data, or only the record in it, once nothing needs it any longer. */
void tab_journal_free_more(struct tab_table *table);
void tab_journal_free_record(struct tab_table *table);

/* Cancels the table: the stakes are refunded, and the table is dropped when the write completes. reason:
 * one of those in asyncapi.yaml. */
void tab_journal_begin_cancel(struct tab_table *table, const char *reason);
/* Writes for a seat's command that changes stored data (a client seed, leaving a waiting table). The reply
 * waits for the write. */
void tab_journal_begin_command(struct tab_table *table, enum tab_write_kind kind,
                               const struct tab_command *command);

#endif
