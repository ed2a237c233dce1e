/* Hand-over: a table moves to another running node. Its row changes first. From then on, the other node
 * reads the rows and continues the table, and this node writes nothing more for it. Connected clients get
 * `moved`. Commands they sent in the meantime were not acknowledged, so they send them again to the other
 * node. The hub initiates hand-overs. Hub thread. */
#ifndef RUMMYD_TABLES_HANDOVER_H
#define RUMMYD_TABLES_HANDOVER_H

#include "tables/table.h"

/* Whether the table has no pending write and no state that exists only in memory and whose loss players
 * would notice: the pause between hands, a request for bots, the wait for seeds, or a running time bank.
 * All of these are short. */
bool tab_may_hand_over(const struct tab_table *table);
/* Begins the write; tab_may_hand_over must hold. The database picks the new node. to_lighter: only to a
 * node with less of its capacity in use than this one. */
void tab_hand_over(struct tab_table *table, bool to_lighter);
/* Call this when the write has completed. true: another node has the table and all clients were notified;
 * drop the table. false: no node accepted it, so it continues here. */
bool tab_handover_written(struct tab_table *table);

#endif
