/* Loads tables from their rows: at startup, from a node that is down, and when a client connects to a table
 * that is not yet loaded. Hub thread. */
#ifndef RUMMYD_TABLES_RECOVER_H
#define RUMMYD_TABLES_RECOVER_H

#include "tables/replay.h"

enum tab_load_result {
    TAB_LOADED,
    TAB_LOAD_ENDED,     /* finished or canceled: nothing to take over */
    TAB_LOAD_ELSEWHERE, /* another node owns the table, according to the code that reads the rows */
    TAB_LOAD_FULL,      /* the node's table limit is reached, or memory is exhausted */
    TAB_LOAD_LOST, /* no node can continue it; *table: set while the loss is being written, otherwise NULL */
};

/* Takes over a table from its rows, or updates a loaded table that waits for players or for a
 * correspondence turn. *table: the table, or NULL. */
enum tab_load_result tab_registry_load(struct tab_registry *registry, const struct tab_load *load,
                                       struct tab_table **table);

#endif
