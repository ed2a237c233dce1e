/* A table that cannot continue. This is the only place where a table becomes lost, whatever its state was.
 * Hub thread. */
#ifndef RUMMYD_TABLES_LOST_H
#define RUMMYD_TABLES_LOST_H

#include "tables/table.h"

/* The database rejected a write for good; table->write describes it and the reason. */
void tab_lost_by_write(struct tab_table *table);
/* The table was built from rows that this program cannot replay; table->difference describes where. */
void tab_lost_by_rows(struct tab_table *table);

#endif
