/* Hand-over: a table leaves for another node that lives. Its row says so first: from then on the other one
 * reads its rows and goes on with it, and nobody here writes anything of it. Who is connected is told
 * `moved`; what they sent meanwhile was not acknowledged, and they send it again over there. The hub asks for
 * it. Hub thread. */
#ifndef RUMMYD_TABLES_PASS_H
#define RUMMYD_TABLES_PASS_H

#include "tables/table.h"

/* Nothing of the table is being written, and nothing goes on that is in no row and that its players would
 * miss: the pause between hands, who asked for bots, the wait for seeds, a time bank that runs. All of them
 * are short. */
bool tab_may_pass(const struct tab_table *table);
/* Begins the write; tab_may_pass must hold. Which node has it then is decided by it. to_lighter: only one
 * that has used less of its room than this one. */
void tab_pass(struct tab_table *table, bool to_lighter);
/* The write is back. true: another node has the table, and everybody was told; it is to be dropped. false: no
 * node would have it, and it goes on here. */
bool tab_pass_written(struct tab_table *table);

#endif
