/* Updates the metrics from the counters of the hub and its tables. Hub thread. */
#include "server/hub/counts.h"

#include "base/bug.h"
#include "server/hub/hub_in.h"
#include "server/operations/db_metrics.h"
#include "server/operations/metrics.h"

/* Adds the increase of the tables' own counters since the last second to the metrics. */
static void count_on(enum srv_metric m, uint64_t now, uint64_t *before)
{
    ASSERT(now >= *before);
    srv_metric_add(m, (int64_t)(now - *before));
    *before = now;
}

void srv_hub_count(struct srv_hub *hub)
{
    static const enum srv_metric thoughts[] = {[TAB_THOUGHT_PLAYED] = METRIC_THOUGHTS_PLAYED,
                                               [TAB_THOUGHT_REFUSED] = METRIC_THOUGHTS_REFUSED,
                                               [TAB_THOUGHT_LATE] = METRIC_THOUGHTS_LATE,
                                               [TAB_THOUGHT_STALE] = METRIC_THOUGHTS_STALE};
    const struct tab_counts *now = &hub->registry.counts;
    struct tab_counts *counted = &hub->counted;
    srv_metric_set(METRIC_TABLES, (int64_t)hub->registry.tables_n);
    srv_metric_set(METRIC_LEASE_AGE, srv_lease_age_ms(hub->lease));
    srv_lease_load(hub->lease, (int64_t)hub->registry.tables_n, (int64_t)srv_ws_sockets(hub->ws),
                   (int64_t)srv_lobby_size(hub->lobby));
    count_on(METRIC_MOVES, now->moves, &counted->moves);
    count_on(METRIC_MOVE_NACKS, now->nacks, &counted->nacks);
    count_on(METRIC_MOVE_REPEATS, now->repeats, &counted->repeats);
    count_on(METRIC_TIMEOUTS, now->timeouts, &counted->timeouts);
    count_on(METRIC_SETTLED, now->settled, &counted->settled);
    count_on(METRIC_CANCELLED, now->cancelled, &counted->cancelled);
    count_on(METRIC_LOST, now->lost, &counted->lost);
    for (int i = 0; i < TAB_THOUGHT_ENDS; i++)
        count_on(thoughts[i], now->thoughts[i], &counted->thoughts[i]);
    srv_db_metrics(SRV_DB_HUB, hub->pipe, &hub->counted_pipe);
}
