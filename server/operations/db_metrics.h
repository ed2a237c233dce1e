/* Updates the metrics from the counters of a pipe (db/pipe.h). Each loop with a pipe calls it about once
 * per second, on its thread. */
#ifndef RUMMYD_SERVER_DB_METRICS_H
#define RUMMYD_SERVER_DB_METRICS_H

#include "db/pipe.h"

enum srv_db_pools { SRV_DB_REST, SRV_DB_HUB };

/* counted: the counters of this pipe at the last call; zero at first, updated by each call. */
void srv_db_metrics(enum srv_db_pools of, const struct db_pipe *pipe, struct db_pipe_stats *counted);

#endif
