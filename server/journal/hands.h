/* Writes of the journal's thread that begin or end games and hands: starts, batched in one statement, and
 * deals and ends of hands, each within the caller's transaction. */
#ifndef RUMMYD_SERVER_JOURNAL_HANDS_H
#define RUMMYD_SERVER_JOURNAL_HANDS_H

#include "db/journal.h"
#include "tables/ports.h"

enum { SRV_JOURNAL_RESULTS_MAX = 4096 };

/* Converts a write to the row of a move. */
struct db_move srv_journal_move(const struct tab_write *write);
/* Starts at most DB_JOURNAL_START_MAX tables in one statement and sets their results; a refused start does
 * not affect the others. */
enum db_journal_result srv_journal_starts(struct db_journal *db, struct tab_write **writes, size_t n,
                                          struct db_error *err);
/* Results of the hand for all seats, as JSON for SQL. */
void srv_journal_results(const struct tab_write *write, char json[SRV_JOURNAL_RESULTS_MAX]);
/* Makes one write and sets its result. REFUSED: nothing was changed. The end of a hand fails instead of
 * being refused. */
enum db_journal_result srv_journal_hand(struct db_journal *db, struct tab_write *write, struct db_error *err);

#endif
