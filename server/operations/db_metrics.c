/* See db_metrics.h. Gauges are updated by differences, because several pipes share them. */
#include "server/operations/db_metrics.h"

#include "server/operations/metrics.h"

struct cells {
    enum srv_metric up, busy, waiting, wait;
};

static const struct cells reads_of[] = {
    [SRV_DB_REST] = {METRIC_DB_UP_REST_READS, METRIC_DB_BUSY_REST_READS, METRIC_DB_WAITING_REST_READS,
                     METRIC_DB_WAIT_REST_READS},
    [SRV_DB_HUB] = {METRIC_DB_UP_HUB_READS, METRIC_DB_BUSY_HUB_READS, METRIC_DB_WAITING_HUB_READS,
                    METRIC_DB_WAIT_HUB_READS},
};
static const struct cells writes_of[] = {
    [SRV_DB_REST] = {METRIC_DB_UP_REST_WRITES, METRIC_DB_BUSY_REST_WRITES, METRIC_DB_WAITING_REST_WRITES,
                     METRIC_DB_WAIT_REST_WRITES},
    [SRV_DB_HUB] = {METRIC_DB_UP_HUB_WRITES, METRIC_DB_BUSY_HUB_WRITES, METRIC_DB_WAITING_HUB_WRITES,
                    METRIC_DB_WAIT_HUB_WRITES},
};

static void pass_on(const struct cells *cells, const struct db_pipe_pool *now,
                    const struct db_pipe_pool *before)
{
    srv_metric_add(cells->up, now->up - before->up);
    srv_metric_add(cells->busy, now->busy - before->busy);
    srv_metric_add(cells->waiting, now->waiting - before->waiting);
    srv_metric_sum_us(cells->wait, (int64_t)(now->sent - before->sent),
                      now->wait_ns / 1000 - before->wait_ns / 1000);
}

void srv_db_metrics(enum srv_db_pools of, const struct db_pipe *pipe, struct db_pipe_stats *counted)
{
    struct db_pipe_stats now;
    db_pipe_stats(pipe, &now);
    pass_on(&reads_of[of], &now.of_reads, &counted->of_reads);
    pass_on(&writes_of[of], &now.of_writes, &counted->of_writes);
    if (of == SRV_DB_REST) {
        srv_metric_add(METRIC_REST_READS, (int64_t)(now.reads - counted->reads));
        srv_metric_add(METRIC_REST_WRITES, (int64_t)(now.writes - counted->writes));
        srv_metric_add(METRIC_REST_DB_RETRIES, (int64_t)(now.retries - counted->retries));
        srv_metric_add(METRIC_REST_DB_RECONNECTS, (int64_t)(now.reconnects - counted->reconnects));
    }
    *counted = now;
}
