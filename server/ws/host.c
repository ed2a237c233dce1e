/* What libwebsockets does not look after itself before it listens; see host.h. */
#include "server/ws/host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FDS_SPARE = 200 };

/* Its tables are sized from the limit of descriptors: an endless one would eat the memory. */
void srv_ws_host_bound_descriptors(size_t socket_max)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    rlim_t want = socket_max + FDS_SPARE;
    if (limit.rlim_max != RLIM_INFINITY && want > limit.rlim_max)
        want = limit.rlim_max;
    limit.rlim_cur = want;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* libwebsockets goes on without a listener when the port is taken: look ourselves first. */
bool srv_ws_host_can_listen(const struct srv_ws_config *config, char *error, size_t error_cap)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)config->port)};
    if (inet_pton(AF_INET, config->addr, &at.sin_addr) != 1) {
        (void)snprintf(error, error_cap, "ws_addr: \"%.60s\" is no IPv4 address", config->addr);
        return false;
    }
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(fd, 1) == 0;
    if (!ok)
        (void)snprintf(error, error_cap, "ws_port: cannot listen on %s:%d: %s", config->addr, config->port,
                       strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    return ok;
}
