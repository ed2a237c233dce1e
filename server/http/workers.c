/* Pools for slow work: one for CPU-bound work (password hashing, 64 MiB per thread), and two for requests
 * to payment and identity servers, so that slow servers delay neither password sign-ins nor each other.
 * Threads and queues are limited. A worker uses only the request it was given. */
#include "server/http/workers.h"

#include "base/bug.h"
#include "base/thread.h"
#include "server/http/trace.h"
#include "server/operations/metrics.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { WORKERS_THREADS_MAX = 4, WORKERS_QUEUE_MAX = 64 };

static const struct pool_metrics {
    enum srv_metric jobs, busy, open;
} metrics_of[] = {
    [HTTP_POOL_HASH] = {METRIC_HASH_JOBS, METRIC_HASH_BUSY, METRIC_HASH_OPEN},
    [HTTP_POOL_PAYMENTS] = {METRIC_PAYMENT_JOBS, METRIC_PAYMENT_BUSY, METRIC_PAYMENT_OPEN},
    [HTTP_POOL_SIGN_IN] = {METRIC_SIGN_IN_JOBS, METRIC_SIGN_IN_BUSY, METRIC_SIGN_IN_OPEN},
};

struct srv_http_workers {
    const struct pool_metrics *metrics;
    struct ring queue;
    pthread_t threads[WORKERS_THREADS_MAX];
    int n;
    atomic_int places_taken; /* of WORKERS_QUEUE_MAX */
};

static void *run(void *arg)
{
    struct srv_http_workers *workers = arg;
    thread_begin("worker", THREAD_LONG);
    void *item;
    while (ring_take_wait(&workers->queue, &item, 1) > 0) {
        struct srv_http_request *request = item;
        struct srv_http_loop *loop = request->loop;
        srv_http_trace_work(request);
        request->api.work(&request->api);
        srv_http_trace_work(NULL);
        srv_metric_add(workers->metrics->jobs, 1);
        srv_metric_add(workers->metrics->open, -1);
        /* The ring has a slot for every connection, so it is never full. */
        bool returned = ring_push(&loop->returned, request);
        ASSERT(returned);
        ev_async_send(loop->ev, &loop->wake);
    }
    return NULL;
}

struct srv_http_workers *srv_http_workers_new(enum srv_http_pool pool, int threads_n)
{
    ASSERT(threads_n > 0 && threads_n <= WORKERS_THREADS_MAX);
    struct srv_http_workers *workers = calloc(1, sizeof(*workers));
    if (!workers || ring_init(&workers->queue, WORKERS_QUEUE_MAX) != 0) {
        free(workers);
        return NULL;
    }
    workers->metrics = &metrics_of[pool];
    for (; workers->n < threads_n; workers->n++) {
        if (pthread_create(&workers->threads[workers->n], NULL, run, workers) != 0) {
            srv_http_workers_free(workers);
            return NULL;
        }
    }
    return workers;
}

void srv_http_workers_free(struct srv_http_workers *workers)
{
    if (!workers)
        return;
    ring_close(&workers->queue);
    for (int i = 0; i < workers->n; i++)
        (void)pthread_join(workers->threads[i], NULL);
    ring_free(&workers->queue);
    free(workers);
}

bool srv_http_workers_place(struct srv_http_workers *workers)
{
    if (atomic_fetch_add(&workers->places_taken, 1) < WORKERS_QUEUE_MAX)
        return true;
    srv_http_workers_place_free(workers);
    srv_metric_add(workers->metrics->busy, 1);
    return false;
}

void srv_http_workers_place_free(struct srv_http_workers *workers)
{
    int before = atomic_fetch_sub(&workers->places_taken, 1);
    ASSERT(before > 0);
}

bool srv_http_workers_give(struct srv_http_workers *workers, struct srv_http_request *request)
{
    ASSERT(request->api.work && request->state == HTTP_WAITING);
    srv_metric_add(workers->metrics->open, 1); /* before the worker can finish */
    if (ring_push(&workers->queue, request))
        return true;
    srv_metric_add(workers->metrics->open, -1);
    srv_metric_add(workers->metrics->busy, 1);
    return false;
}
