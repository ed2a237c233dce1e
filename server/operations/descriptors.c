/* Descriptor budgets; see descriptors.h. Each is enforced where its connections are accepted: `socket_max`
 * and `socket_waiting_max` in server/ws/acceptor.c, `http_max` by each loop's daemon (server/http/loop.c).
 * All other descriptors are opened at startup, and their number does not grow. docs/operations.md lists
 * them, and a test counts them. */
#include "server/operations/descriptors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/bug.h"
#include "base/log.h"

size_t srv_descriptors_share(struct srv_config *config, size_t hard, char error[SRV_ERROR_MAX])
{
    size_t rest = SRV_DESCRIPTORS_REST + SRV_DESCRIPTORS_REST_LOOP * (size_t)config->rest_loops;
    size_t http = SRV_DESCRIPTORS_HTTP_EACH * (size_t)config->http_max;
    size_t waiting = (size_t)config->socket_waiting_max, sockets = (size_t)config->socket_max;
    size_t others = rest + http + waiting;
    if (sockets == 0 && others >= hard) {
        (void)snprintf(
            error, SRV_ERROR_MAX,
            "http_max: %zu descriptors for HTTP, %zu for waiting sockets, and %zu for everything else leave "
            "none for sockets; the hard limit of open files is %zu (LimitNOFILE)",
            http, waiting, rest, hard);
        return 0;
    }
    if (sockets == 0) {
        sockets = hard - others < SRV_DESCRIPTORS_SOCKETS_AUTO_MAX ? hard - others
                                                                   : SRV_DESCRIPTORS_SOCKETS_AUTO_MAX;
        config->socket_max = (int64_t)sockets;
    }
    if (sockets + others > hard) {
        (void)snprintf(
            error, SRV_ERROR_MAX,
            "socket_max: %zu sockets, %zu waiting, %zu descriptors for HTTP, and %zu for everything else are "
            "%zu; the hard limit of open files is %zu (LimitNOFILE)",
            sockets, waiting, http, rest, sockets + others, hard);
        return 0;
    }
    ASSERT(config->socket_max > 0);
    return sockets + others;
}

bool srv_descriptors_take(struct srv_config *config, char error[SRV_ERROR_MAX])
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        (void)snprintf(error, SRV_ERROR_MAX, "socket_max: the limit of open files is unknown: %s",
                       strerror(errno));
        return false;
    }
    size_t sum = srv_descriptors_share(config, limit.rlim_max, error);
    if (sum == 0)
        return false;
    /* libwebsockets sizes its tables by this limit and scans one of them on every close, so the limit is no
     * larger than needed. */
    limit.rlim_cur = sum;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        (void)snprintf(error, SRV_ERROR_MAX, "socket_max: the limit of open files cannot be set to %zu: %s",
                       sum, strerror(errno));
        return false;
    }
    log_info("descriptors", LOG_NUM("all", sum), LOG_NUM("sockets", config->socket_max),
             LOG_NUM("sockets_waiting", config->socket_waiting_max), LOG_NUM("http", config->http_max));
    return true;
}
