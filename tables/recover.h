/* Taking over tables from their rows: after a start, from a node that is gone, and when somebody comes to a
 * table that is not here yet. Hub thread. */
#ifndef RUMMYD_TABLES_RECOVER_H
#define RUMMYD_TABLES_RECOVER_H

#include "tables/replay.h"

enum tab_load_result {
    TAB_LOADED,
    TAB_LOAD_ENDED,     /* finished or cancelled: there is nothing to take over */
    TAB_LOAD_ELSEWHERE, /* another node has it, said by whoever reads the rows */
    TAB_LOAD_FULL,      /* as many tables as this node may have, or memory is short */
    TAB_LOAD_LOST,      /* no node can go on with it. With a table that is just being written, else it is long
                           known */
};

/* Takes the table over, or brings one that waits for people, or for a turn of hours, up to date with its
 * rows. *table: the table, or NULL. */
enum tab_load_result tab_registry_load(struct tab_registry *registry, const struct tab_load *load,
                                       struct tab_table **table);

#endif
