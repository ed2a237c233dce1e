/* Writes of the journal's thread that begin or end something: starts, deals, ends of hands, settlements. Each
 * within the caller's transaction. */
#ifndef RUMMYD_SERVER_JOURNAL_HANDS_H
#define RUMMYD_SERVER_JOURNAL_HANDS_H

#include "db/journal.h"
#include "tables/ports.h"

/* The row of a move. */
struct db_move srv_journal_move(const struct tab_write *write);
/* Writes it and fills its answer in. REFUSED where nothing was changed; the end of a hand is never just
 * refused. */
enum db_journal_result srv_journal_hand(struct db_journal *db, struct tab_write *write, struct db_error *err);

#endif
