/* Counters, gauges, and histograms of the process, shown at /metrics in the Prometheus text format.
 * Declared in server/metrics.def. Lock-free; any thread may update and read them. */
#ifndef RUMMYD_SERVER_METRICS_H
#define RUMMYD_SERVER_METRICS_H

#include "base/buf.h"

#include <stdint.h>

enum srv_metric {
#define METRIC_COUNTER(id, name, labels, help) METRIC_##id,
#define METRIC_GAUGE(id, name, labels, help) METRIC_##id,
#define METRIC_TIME(id, name, labels, help) METRIC_##id,
#define METRIC_SUM(id, name, labels, help) METRIC_##id,
#include "server/metrics.def"
#undef METRIC_COUNTER
#undef METRIC_GAUGE
#undef METRIC_TIME
#undef METRIC_SUM
    METRICS_N
};

/* Counters and gauges. n may be negative for a gauge. */
void srv_metric_add(enum srv_metric m, int64_t n);
void srv_metric_set(enum srv_metric m, int64_t value);
int64_t srv_metric_get(enum srv_metric m);
/* Histograms. Negative durations (after a clock change) count as 0. */
void srv_metric_time_us(enum srv_metric m, int64_t us);
/* Sums: adds n durations of `us` microseconds in total. */
void srv_metric_sum_us(enum srv_metric m, int64_t n, int64_t us);

#define METRICS_TEXT_MAX (256 * 1024) /* maximum output of srv_metrics_write in bytes */
void srv_metrics_write(struct buf *out);
/* Writes all metrics as a Markdown page. */
void srv_metrics_describe(struct buf *out);

#endif
