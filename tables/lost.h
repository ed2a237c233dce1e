/* A table that cannot continue. Only these functions make a table lost, no matter in which state. Hub
 * thread. */
#ifndef RUMMYD_TABLES_LOST_H
#define RUMMYD_TABLES_LOST_H

#include "tables/table.h"

/* Call this if the database rejected a write permanently; table->write describes it and the reason. */
void tab_lost_by_write(struct tab_table *table);
/* Call this if the table was built from rows that this program cannot replay; table->difference describes
 * where. */
void tab_lost_by_rows(struct tab_table *table);

#endif
