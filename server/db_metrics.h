/* What a pipe (db/pipe.h) has counted, passed on to the metrics. Each loop that has a pipe calls it about
 * once a second, on its thread. */
#ifndef RUMMYD_SERVER_DB_METRICS_H
#define RUMMYD_SERVER_DB_METRICS_H

#include "db/pipe.h"

enum srv_db_pools { SRV_DB_REST, SRV_DB_HUB };

/* told: what of this pipe was passed on before; zero at first, and what it has counted by now from here on.
 */
void srv_db_metrics(enum srv_db_pools of, const struct db_pipe *pipe, struct db_pipe_stats *told);

#endif
