/* The queue of spans while the collector does not respond. */
#include "server/operations/traces.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/fetch.h"
#include "server/operations/metrics.h"

/* Accepts connections, as the kernel does for any listener, and never replies. */
static int hanging_collector(char endpoint[32])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(fd, 8) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &len) == 0);
    (void)snprintf(endpoint, 32, "http://127.0.0.1:%d", ntohs(at.sin_port));
    return fd;
}

Test(traces, excess_spans_are_dropped_while_the_collector_hangs)
{
    static const struct srv_span span = {
        .method = "GET", .route = "/v1/me", .operation = "getMe", .status = 401};
    char endpoint[32];
    cr_assert_eq(setenv("no_proxy", "*", 1), 0);
    cr_assert_eq(setenv("NO_PROXY", "*", 1), 0);
    cr_assert(net_start());
    int collector = hanging_collector(endpoint);
    struct srv_traces *traces = srv_traces_start(endpoint, "node");
    cr_assert(traces);
    int64_t put = 0, taken;
    while (srv_metric_get(METRIC_SPANS_DROPPED) == 0) {
        srv_traces_put(traces, &span);
        put++;
    }
    cr_assert_geq(put, TRACES_WAITING_MAX + 1);
    srv_traces_stop(traces);
    taken = srv_metric_get(METRIC_SPANS_NOT_TAKEN);
    cr_assert_eq(srv_metric_get(METRIC_SPANS_SENT), 0);
    /* At most a full queue less the batch of the last attempt remains. */
    cr_assert(taken >= TRACES_BATCH_MAX && put - 1 - taken <= TRACES_WAITING_MAX - TRACES_BATCH_MAX,
              "%lld put, %lld not accepted", (long long)put, (long long)taken);
    (void)close(collector);
}
