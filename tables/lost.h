/* A table that cannot go on. Here alone it becomes so, whatever it was. Hub thread. */
#ifndef RUMMYD_TABLES_LOST_H
#define RUMMYD_TABLES_LOST_H

#include "tables/table.h"

/* What was to be written of it is refused for good: table->write says what and why. */
void tab_lost_by_write(struct tab_table *table);
/* It was made from rows that this program does not play: table->difference says where. */
void tab_lost_by_rows(struct tab_table *table);

#endif
