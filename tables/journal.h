/* The one door between a table and the journal. Hub thread. */
#ifndef RUMMYD_TABLES_JOURNAL_H
#define RUMMYD_TABLES_JOURNAL_H

#include "tables/table.h"

/* Hands table->write over, whose members for that kind are set. None may be on its way. The journal has it
 * until tab_written(). */
void tab_journal_begin(struct tab_table *table, enum tab_write_kind kind);
/* The write on its way is back. */
void tab_journal_end(struct tab_table *table);
/* The same, zeroed or as it was filled before: what a write has that is more than a move. */
struct tab_write_more *tab_journal_more(struct tab_table *table);
/* What the last write had that was more than a move, or only the record that went with it, is not needed any
 * more. */
void tab_journal_free_more(struct tab_table *table);
void tab_journal_free_record(struct tab_table *table);

/* The table is given up: the stakes go back, and when the write returns it is gone. reason: one of the
 * contract's. */
void tab_journal_begin_cancel(struct tab_table *table, const char *reason);
/* A command of a seat that changes what is stored of it (a client seed, leaving a waiting table): its reply
 * waits for the write. */
void tab_journal_begin_command(struct tab_table *table, enum tab_write_kind kind,
                               const struct tab_command *command);

#endif
