/* What the strongest bots think about (ENG_BOT_MASTER), which takes too long for the hub: a port of the table
 * gives it to others, and the answer comes back while the bot seems to think anyway. An answer counts for the
 * version it was asked for. If none comes in time, the bot plays what came first to its mind, which is what a
 * strong one does; its clock never runs out over that. Hub thread. */
#ifndef RUMMYD_TABLES_THOUGHTS_H
#define RUMMYD_TABLES_THOUGHTS_H

#include "tables/table.h"

enum {
    TAB_THOUGHT_WAIT_MAX_MS = 2000, /* for an answer, once a bot would move */
};

/* Where the dice of the bot to move begin: they follow from the hand and its version alone, so the move is
 * the same after a restart, and at another node. */
uint64_t tab_thoughts_dice(const struct tab_table *table);
/* The bot of the seat to move thinks about what it sees, unless it does already. bot_ms must be set. */
void tab_thoughts_ask(struct tab_table *table, uint8_t seat);
/* When the bot to move moves, whatever has come by then, monotonic ms; at once when an answer has come, and
 * bot_ms is over. */
int64_t tab_thoughts_due_ms(const struct tab_table *table);
/* The answer to what it sees now. false: there is none. Nothing is asked any more then. */
bool tab_thoughts_take(struct tab_table *table, struct eng_move *move);
/* The answer to a thought. false: it is not what the table waits for. */
bool tab_thoughts_put(struct tab_table *table, const struct tab_thought *thought);

#endif
