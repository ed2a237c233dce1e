/* Reads and applies the rows of a table. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_LOAD_ROWS_H
#define RUMMYD_SERVER_HUB_LOAD_ROWS_H

#include <libpq-fe.h>

#include "db/pipe.h"
#include "tables/recover.h"

struct srv_hub;

/* Reads the rows of a table (api_table_rows_stmt) for fn. may_wake: wakes a sleeping table first, which
 * makes this node its owner. false: the table cannot be queried now, and fn is not called. */
bool srv_hub_read_rows(struct srv_hub *hub, int64_t table_id, bool may_wake, db_pipe_fn *fn, void *arg);
/* Applies the rows (api_table_rows_stmt) to the table. Afterward the table is in memory if this node owns
 * it and it has not ended. *table: the table, or NULL. */
enum tab_load_result srv_hub_take_rows(struct srv_hub *hub, int64_t table_id, const PGresult *rows,
                                       struct tab_table **table);

#endif
