/* Metrics of the process; see metrics.h. Any thread. Every cell is a separate relaxed atomic, because a
 * value may be a microsecond old. */
#include "server/operations/metrics.h"

#include "base/bug.h"
#include "base/log.h"

#include <stdatomic.h>
#include <string.h>

enum kind { COUNTER, GAUGE, TIME, SUM };

static const struct {
    enum kind kind;
    const char *name, *labels, *help;
} rows[METRICS_N] = {
#define METRIC_COUNTER(id, name, labels, help) [METRIC_##id] = {COUNTER, name, labels, help},
#define METRIC_GAUGE(id, name, labels, help) [METRIC_##id] = {GAUGE, name, labels, help},
#define METRIC_TIME(id, name, labels, help) [METRIC_##id] = {TIME, name, labels, help},
#define METRIC_SUM(id, name, labels, help) [METRIC_##id] = {SUM, name, labels, help},
#include "server/metrics.def"
#undef METRIC_COUNTER
#undef METRIC_GAUGE
#undef METRIC_TIME
#undef METRIC_SUM
};

/* Upper limits of a histogram's buckets, in microseconds. */
static const int64_t bucket_us[] = {50,    100,   200,    500,    1000,   2000,    5000,    10000,
                                    20000, 50000, 100000, 200000, 500000, 1000000, 5000000, 10000000};
#define BUCKETS_N ARRAY_LEN(bucket_us)

struct cell {
    _Alignas(64) atomic_int_fast64_t value; /* for histograms and sums, the number of observations */
    atomic_int_fast64_t sum_us;
    atomic_int_fast64_t bucket[BUCKETS_N]; /* not cumulative */
};
static struct cell cells[METRICS_N];

static void add(atomic_int_fast64_t *where, int64_t n)
{
    atomic_fetch_add_explicit(where, n, memory_order_relaxed);
}

static int64_t get(atomic_int_fast64_t *where)
{
    return atomic_load_explicit(where, memory_order_relaxed);
}

void srv_metric_add(enum srv_metric m, int64_t n)
{
    ASSERT(m < METRICS_N && (rows[m].kind == COUNTER || rows[m].kind == GAUGE));
    ASSERT(n >= 0 || rows[m].kind == GAUGE);
    add(&cells[m].value, n);
}

void srv_metric_set(enum srv_metric m, int64_t value)
{
    ASSERT(m < METRICS_N && rows[m].kind == GAUGE);
    atomic_store_explicit(&cells[m].value, value, memory_order_relaxed);
}

int64_t srv_metric_get(enum srv_metric m)
{
    ASSERT(m < METRICS_N);
    return get(&cells[m].value);
}

void srv_metric_time_us(enum srv_metric m, int64_t us)
{
    ASSERT(m < METRICS_N && rows[m].kind == TIME);
    if (us < 0)
        us = 0;
    add(&cells[m].value, 1);
    add(&cells[m].sum_us, us);
    for (size_t i = 0; i < BUCKETS_N; i++) {
        if (us <= bucket_us[i]) {
            add(&cells[m].bucket[i], 1);
            break;
        }
    }
}

void srv_metric_sum_us(enum srv_metric m, int64_t n, int64_t us)
{
    ASSERT(m < METRICS_N && rows[m].kind == SUM && n >= 0 && us >= 0);
    add(&cells[m].value, n);
    add(&cells[m].sum_us, us);
}

/* Writes sum and count, which end a histogram and are the only lines of a sum. */
static void write_sum(struct buf *out, enum srv_metric m, int64_t n)
{
    const char *name = rows[m].name, *labels = rows[m].labels;
    const char *open = labels[0] ? "{" : "", *close = labels[0] ? "}" : "";
    buf_fmt(out, "%s_sum%s%s%s %.6f\n", name, open, labels, close, (double)get(&cells[m].sum_us) / 1e6);
    buf_fmt(out, "%s_count%s%s%s %lld\n", name, open, labels, close, (long long)n);
}

static void write_time(struct buf *out, enum srv_metric m)
{
    const char *name = rows[m].name, *labels = rows[m].labels;
    const char *comma = labels[0] ? "," : "";
    int64_t below = 0;
    /* Reads the count first, and raises it if concurrent observations make a bucket exceed it. */
    int64_t n = get(&cells[m].value);
    for (size_t i = 0; i < BUCKETS_N; i++) {
        below += get(&cells[m].bucket[i]);
        if (below > n)
            n = below;
        buf_fmt(out, "%s_bucket{%s%sle=\"%.9g\"} %lld\n", name, labels, comma, (double)bucket_us[i] / 1e6,
                (long long)below);
    }
    buf_fmt(out, "%s_bucket{%s%sle=\"+Inf\"} %lld\n", name, labels, comma, (long long)n);
    write_sum(out, m, n);
}

static const char *const types[] = {
    [COUNTER] = "counter", [GAUGE] = "gauge", [TIME] = "histogram", [SUM] = "summary"};

static bool begins_name(enum srv_metric m)
{
    return m == 0 || strcmp(rows[m].name, rows[m - 1].name) != 0;
}

void srv_metrics_write(struct buf *out)
{
    atomic_store_explicit(&cells[METRIC_LOG_LOST].value, (int64_t)log_lost(), memory_order_relaxed);
    for (enum srv_metric m = 0; m < METRICS_N; m++) {
        if (begins_name(m))
            buf_fmt(out, "# HELP %s %s\n# TYPE %s %s\n", rows[m].name, rows[m].help, rows[m].name,
                    types[rows[m].kind]);
        if (rows[m].kind == TIME)
            write_time(out, m);
        else if (rows[m].kind == SUM)
            write_sum(out, m, srv_metric_get(m));
        else if (rows[m].labels[0])
            buf_fmt(out, "%s{%s} %lld\n", rows[m].name, rows[m].labels, (long long)srv_metric_get(m));
        else
            buf_fmt(out, "%s %lld\n", rows[m].name, (long long)srv_metric_get(m));
    }
}

void srv_metrics_describe(struct buf *out)
{
    static const char head[] =
        "# Metrics\n\n"
        "This page lists every metric that the server exports at `/metrics`, for operators who set up "
        "dashboards\n"
        "and alerts ([operations](operations.md#watching-it)). `rummyd metrics` generates it from\n"
        "`server/metrics.def`.\n\n"
        "```sh\ncurl -s http://127.0.0.1:8080/metrics | grep '^rummyd_tables '\n```\n\n"
        "| metric | type | labels | meaning |\n|---|---|---|---|\n";
    buf_str(out, head);
    for (enum srv_metric m = 0; m < METRICS_N; m++) {
        if (begins_name(m))
            buf_fmt(out, "| `%s` | %s | ", rows[m].name, types[rows[m].kind]);
        if (rows[m].labels[0])
            buf_fmt(out, "%s`%s`", begins_name(m) ? "" : ", ", rows[m].labels);
        if (m + 1 == METRICS_N || begins_name(m + 1))
            buf_fmt(out, " | %s |\n", rows[m].help);
    }
}
