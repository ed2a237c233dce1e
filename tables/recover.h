/* Loading tables from their rows: at startup, from a node that is gone, and when a client connects to a table
 * that is not loaded yet. Hub thread. */
#ifndef RUMMYD_TABLES_RECOVER_H
#define RUMMYD_TABLES_RECOVER_H

#include "tables/replay.h"

enum tab_load_result {
    TAB_LOADED,
    TAB_LOAD_ENDED,     /* finished or canceled: nothing to take over */
    TAB_LOAD_ELSEWHERE, /* another node owns it, according to the code that reads the rows */
    TAB_LOAD_FULL,      /* the node's table limit is reached, or memory is short */
    TAB_LOAD_LOST, /* no node can continue it; *table: set while its loss is being written, NULL if the loss
                      was known before */
};

/* Takes the table over, or updates one that waits for players, or for a correspondence turn, from its rows.
 * *table: the table, or NULL. */
enum tab_load_result tab_registry_load(struct tab_registry *registry, const struct tab_load *load,
                                       struct tab_table **table);

#endif
