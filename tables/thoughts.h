/* Searches of the strongest bots (ENG_BOT_MASTER), which take too long for the hub thread: a port of the
 * table passes them to worker threads, and the answer arrives while the bot is pretending to think anyway.
 * An answer is valid only for the version for which it was requested. If none arrives in time, the bot
 * plays its quick move, as a strong bot would; a search never makes the clock run out. Hub thread. */
#ifndef RUMMYD_TABLES_THOUGHTS_H
#define RUMMYD_TABLES_THOUGHTS_H

#include "tables/table.h"

enum {
    TAB_THOUGHT_WAIT_MAX_MS = 2000, /* maximum wait for an answer after the bot's pretended thinking */
};

/* Initial random state of the bot to move. It depends only on the hand and its version, so the move is the
 * same after a restart and on another node. */
uint64_t tab_thoughts_dice(const struct tab_table *table);
/* Starts a search for the bot to move, based on its seat's view, unless one is pending. bot_ms must be
 * set. */
void tab_thoughts_request(struct tab_table *table, uint8_t seat);
/* When the bot moves, monotonic ms: at bot_ms if an answer has arrived, otherwise at the end of the wait
 * for it. */
int64_t tab_thoughts_due_ms(const struct tab_table *table);
/* Takes the answer for the current view. false: there is none. In both cases, no search is pending
 * afterward. */
bool tab_thoughts_take(struct tab_table *table, struct eng_move *move);
/* Delivers the answer of a search. false: the table is not waiting for it. */
bool tab_thoughts_put(struct tab_table *table, const struct tab_thought *thought);

#endif
